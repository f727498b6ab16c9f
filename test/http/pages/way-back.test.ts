import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { answerConsent, askForClaim, endClaim, federate, newEnd, type TestClaim } from '../../support/claims.ts';
import {
  answerByPassword,
  type CustomerWithRequester,
  customerWithRequester,
  type OnPage,
  openPage,
} from '../../support/consent-page.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();
const PAGE = 'https://shop.example/linked';

let sides: CustomerWithRequester;
const register = async ({ headers }: CustomerWithRequester['requester'], returnUrls: string[]) =>
  server.call('PUT', '/api/v1/applications/return-urls', { headers, payload: { returnUrls } });
beforeAll(async () => {
  sides = await customerWithRequester(server, { name: 'Zuma & Sons' });
  await register(sides.requester, [PAGE, 'https://shop.example/other']);
});

const ask = (returnUrl?: string) =>
  askForClaim(server, sides.requester, sides.tag, { subjectId: sides.subjectId, returnUrl });
async function asked(returnUrl?: string): Promise<TestClaim> {
  const answer = await ask(returnUrl);
  expect(answer.statusCode).toBe(201);
  return answer.json<{ data: TestClaim }>().data;
}
/** Where the page leads back to, and what the link says. */
async function backOf(on: OnPage) {
  const { body } = await openPage(server, on);
  const [, href, text] = /<p class="back"><a href="([^"]+)">(.*?)<\/a>/.exec(body) ?? [];
  return href === undefined ? undefined : [href.replaceAll('&amp;', '&'), text];
}

describe('the page of a claim', () => {
  it('leads whoever approved back to the page that was named, with its own query and no secret', async () => {
    const claim = await asked(`${PAGE}?cart=7&then=%2Fpay`);
    expect(await backOf(claim)).toBeUndefined();
    await answerByPassword(server, claim);
    const back = `${PAGE}?cart=7&then=%2Fpay&consentId=${claim.id}&outcome=approved`;
    expect(await backOf(claim)).toEqual([back, 'Back to <bdi>Zuma &amp; Sons</bdi>']);
    await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect(await backOf(claim)).toEqual([back, expect.any(String)]);
    await endClaim(server, sides.requester, claim, 'revoke');
    expect((await backOf(claim))?.[0]).toContain('outcome=ended');
  });

  it('leads whoever declined back, and whoever was locked out', async () => {
    const declined = await asked(PAGE);
    await answerByPassword(server, declined, { answer: 'decline' });
    expect((await backOf(declined))?.[0]).toBe(`${PAGE}?consentId=${declined.id}&outcome=declined`);
    const locked = await asked(PAGE);
    await server.owner.query('update claims.claim set proof_attempts = 5 where id = $1', [locked.id]);
    expect((await backOf(locked))?.[0]).toBe(`${PAGE}?consentId=${locked.id}&outcome=ended`);
    await endClaim(server, sides.requester, locked, 'cancel');
  });

  it('leads nowhere where nothing was named, and while the application is suspended', async () => {
    const claim = await asked();
    await answerByPassword(server, claim, { answer: 'decline' });
    expect(await backOf(claim)).toBeUndefined();
    const other = await customerWithRequester(server);
    await register(other.requester, [PAGE]);
    const answer = await askForClaim(server, other.requester, other.tag, {
      subjectId: other.subjectId,
      returnUrl: PAGE,
    });
    const { data } = answer.json<{ data: TestClaim }>();
    await answerByPassword(server, data, { answer: 'decline' });
    await server.operate('POST', `/applications/${other.requester.applicationId}/suspend`, { reason: 'phishing' });
    expect(await backOf(data)).toBeUndefined();
  });

  it.each([
    ['https://shop.example.evil.example/linked'],
    ['https://shop.example@evil.example/linked'],
    ['https://shop.example/linked/'],
    ['https://shop.example/Linked'],
    ['https://shop.example/linked/../admin'],
    ['https://shop.example:8443/linked'],
    ['http://shop.example/linked'],
    ['https://shop.example/linked#top'],
    ['https://shop.example/'],
  ])('is not made to lead to %s, which is none that the application registered', async (returnUrl) => {
    const answer = await ask(returnUrl);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errorCode).toMatch(/^RETURN_URL_NOT_REGISTERED|INVALID_PARAMETER$/);
  });
});

describe('the page of a link', () => {
  it('leads whoever answered back, and only to pages of the application that asked', async () => {
    const primary = await newEnd(server, 'Acme');
    const body = { secondaryTag: sides.person.paytag, verificationMethod: 'CONSENT', returnUrl: `${PAGE}?cart=7` };
    expect(refusalOf(await federate(server, primary, primary.tag, body))).toEqual([400, 'RETURN_URL_NOT_REGISTERED']);
    await register(primary, [PAGE]);
    const started = await federate(server, primary, primary.tag, body);
    const [link] = started.json<{ data: { links: [{ id: string; approvalUrl: string }] } }>().data.links;
    const on = { ...link, tagString: sides.person.paytag };
    expect(await backOf(on)).toBeUndefined();
    await answerByPassword(server, on);
    const back = `${PAGE}?cart=7&linkId=${link.id}&outcome=approved`;
    expect(await backOf(on)).toEqual([back, 'Back to <bdi>Acme</bdi>']);
  });
});
