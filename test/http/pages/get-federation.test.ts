import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { answerByPassword, linkAndEvents, openPage, pathOf, waitingLink } from '../../support/consent-page.ts';
import { federate, LINK_MS, newEnds, newLink, seeFederation } from '../../support/federations.ts';

const server = useApp();

describe('200', () => {
  it('tells a program the requester, the two tags and the expiry', async () => {
    const asked = await waitingLink(server);
    const answer = await server.call('GET', pathOf(asked));
    expect([answer.statusCode, answer.headers['cache-control'], answer.headers['vary']]).toEqual([
      200,
      'no-store',
      'accept',
    ]);
    expect(answer.json().data).toEqual({
      linkId: asked.id,
      requestedByAppId: asked.primary.applicationId,
      requestedByAppName: 'Acme',
      primaryTag: asked.primary.tag,
      primaryAddress: `${asked.primary.tag}@${asked.primary.namespace}`,
      tagString: asked.tagString,
      qualifiedAddress: `${asked.tagString}@paytag`,
      status: 'PENDING',
      requestedAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(server.logged).not.toContain(pathOf(asked).split('/').at(-1));
  });

  it('shows a browser a page that is not framed, cached or leaked by referrer, with the forms to answer by', async () => {
    const asked = await waitingLink(server, 'Zuma & Sons');
    const answer = await openPage(server, asked);
    expect([answer.statusCode, answer.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
        vary: 'accept, accept-language',
      },
    ]);
    for (const shown of ['Zuma &amp; Sons', `@${asked.tagString}`, `@${asked.primary.tag}`, 'Lagos time']) {
      expect(answer.body).toContain(shown);
    }
    expect(answer.body).not.toMatch(/<script|\son\w+=|https?:|<img|<link/i);
  });

  it('does nothing, however often and with whatever query it is fetched', async () => {
    const asked = await waitingLink(server);
    for (const query of ['', '?answer=approve&by=code&code=123456', '?with=code', '?with=code&with=x']) {
      expect((await openPage(server, asked, query)).statusCode).toBe(200);
    }
    expect(await linkAndEvents(server, asked)).toMatchObject({ link: { status: 'PENDING' }, events: [] });
  });

  it('shows the outcome of the link, and no approvalUrl to its initiator any more', async () => {
    const asked = await waitingLink(server);
    await answerByPassword(server, asked, { answer: 'decline' });
    expect((await server.call('GET', pathOf(asked))).json().data).toMatchObject({ status: 'REJECTED' });
    expect((await openPage(server, asked)).body).toContain('This request was declined');
    const { link } = await linkAndEvents(server, asked);
    expect(link).not.toHaveProperty('approvalUrl');
    const revoked = await waitingLink(server);
    const { primary, id } = revoked;
    await server.call('DELETE', `/api/v1/tags/${primary.tag}/federation/${id}`, { headers: primary.headers });
    expect((await openPage(server, revoked)).body).toContain('This request has ended');
  });
});

describe('404', () => {
  it('knows no link by its id, by a changed token, or by anything else', async () => {
    const asked = await waitingLink(server);
    const token = String(pathOf(asked).split('/').at(-1));
    const flipped = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const wrong of [asked.id, flipped, `${token}=`, token.slice(1), `B${token.slice(1)}`, '%00', '..%2fv1', 'é']) {
      const answer = await server.call('GET', `/api/v1/federation/${wrong}`);
      expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'LINK_NOT_FOUND']);
    }
    const page = await openPage(server, { approvalUrl: `${asked.approvalUrl}x` });
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('We do not know this link')]);
  });
});

describe('410', () => {
  it('says that the link has expired, in the Envelope and on the page', async () => {
    const asked = await waitingLink(server);
    server.clock.advance(LINK_MS);
    const answer = await server.call('GET', pathOf(asked));
    expect([answer.statusCode, answer.json().errorCode]).toEqual([410, 'LINK_EXPIRED']);
    const page = await openPage(server, asked);
    expect([page.statusCode, page.body]).toEqual([410, expect.stringContaining('This request is over')]);
  });
});

it('an approvalUrl is shown only to the initiator of a link that waits for a customer', async () => {
  const ends = await newEnds(server);
  for (const method of ['OTP', 'CONSENT', 'ATTESTATION'] as const) {
    expect(await newLink(server, { ...(await newEnds(server)), primary: ends.primary }, method)).not.toHaveProperty(
      'approvalUrl',
    );
  }
  const { primary, tagString } = await waitingLink(server);
  const attested = await federate(server, ends.primary, ends.primary.tag, {
    secondaryTag: tagString,
    verificationMethod: 'ATTESTATION',
  });
  expect(attested.json().data.links[0]).not.toHaveProperty('approvalUrl');
  expect((await seeFederation(server, ends.stranger, primary.tag)).statusCode).toBe(404);
});
