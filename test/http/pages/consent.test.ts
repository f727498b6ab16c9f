import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import {
  after,
  answerConsent,
  claimsSeenBy,
  consentInPerson,
  DAY_MS,
  endClaim,
  eventsFor,
  newClaim,
  newSides,
} from '../../support/claims.ts';
import {
  answerByCode,
  answerByPassword,
  askForCode,
  customerWithPendingClaim,
  openPage,
  pathOf,
  sealOf,
  subjectWithRequester,
} from '../../support/consent-page.ts';
import { OTP, PASSWORD } from '../../support/onboarding.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSubject } from '../../support/tags.ts';

describe('GET /consent/{token}, the page', () => {
  const server = useApp();

  it('shows a browser the requester, the request and its expiry in Lagos time, uncached and unframed', async () => {
    const { claim } = await customerWithPendingClaim(server, { name: 'Zuma Market', displayName: 'Bola Ade' });
    const answer = await openPage(server, claim);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      vary: 'accept, accept-language',
    });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; img-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-anc/,
    );
    expect(policy).not.toContain('unsafe');
    const until = new Date(Date.parse(claim.tokenExpiresAt) + 60 * 60 * 1000).toISOString().slice(11, 16);
    for (const shown of ['Zuma Market', 'Bola Ade', `@${claim.tagString}`, `at\u00A0${until}`, 'Lagos time']) {
      expect(answer.body).toContain(shown);
    }
    expect(answer.body).not.toMatch(/<script|\son\w+=|https?:|<img|<link/i);
    expect(server.logged).not.toContain(claim.consentToken);
  });

  it.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html;q=0, */*', 'application/json'],
    ['application/json, text/html;q=0.5', 'application/json'],
    ['text/html', 'text/html'],
    ['text/html, application/json', 'text/html'],
  ])('a client that accepts %s gets %s', async (accept, type) => {
    const { claim } = await customerWithPendingClaim(server);
    const answer = await server.call('GET', pathOf(claim), { headers: { accept } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
    expect(answer.headers['vary']).toBe(type === 'text/html' ? 'accept, accept-language' : 'accept');
  });

  it('does nothing, however often it is prefetched, requested by HEAD, or opened with any query', async () => {
    const { claim, requester, tag } = await customerWithPendingClaim(server);
    const headers = { accept: 'text/html', 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' };
    for (const query of ['', '?answer=approve&by=code&code=123456', '?with=code', '?with=code&with=x']) {
      const answer = await server.call('GET', `${pathOf(claim)}${query}`, { headers });
      expect(answer.statusCode).toBe(200);
    }
    expect((await server.call('HEAD', pathOf(claim), { headers })).statusCode).toBe(200);
    expect(await claimsSeenBy(server, requester, tag)).toEqual([claim]);
    expect(await eventsFor(server, requester)).toEqual([]);
    const sent = await server.owner.query('select from owner_proofs.owner_code');
    expect(sent.rowCount).toBe(0);
  });

  it('shows all names as plain text', async () => {
    const hostile = `"'&amp; javascript: alert(1) {{7*7}} \${7} %3Cscript%3E`;
    const { claim } = await customerWithPendingClaim(server, { name: hostile, displayName: `Bola "onfocus='x'` });
    const { body } = await openPage(server, claim);
    expect(body).toContain('&quot;&#39;&amp;amp; javascript: alert(1)');
    expect(body).toContain('Bola &quot;onfocus=&#39;x&#39;');
    expect(body).not.toContain(`"onfocus`);
  });

  it('shows the outcome of the request', async () => {
    const sides = await subjectWithRequester(server, { email: 'owner@example.com' });
    const claim = await newClaim(server, sides);
    await answerConsent(server, sides.owner, claim.consentToken, 'approve');
    expect((await openPage(server, claim)).body).toContain('This request was approved');
    await endClaim(server, sides.owner, claim, 'revoke');
    expect((await openPage(server, claim)).body).toContain('This approval has ended');
    const second = await newClaim(server, sides);
    await endClaim(server, sides.requester, second, 'cancel');
    expect((await openPage(server, second)).body).toContain('This request was taken back');
    const third = await newClaim(server, sides);
    await answerConsent(server, sides.owner, third.consentToken, 'reject');
    const { body } = await openPage(server, third);
    expect(body).toContain('This request was declined');
    expect(body).not.toContain('<form');
  });

  it('says so when the owner has no address to receive a code', async () => {
    const claim = await newClaim(server, await subjectWithRequester(server));
    const { body } = await openPage(server, claim);
    expect(body).toContain('no e-mail address on record');
    expect(body).not.toContain('<form');
  });

  it('offers every customer the same authentication methods, and never shows an address', async () => {
    const sides = await customerWithPendingClaim(server);
    const { body } = await openPage(server, sides.claim);
    expect(body).toMatch(/value="sms".*value="whatsapp".*value="email"/s);
    for (const secret of [sides.person.phone.slice(-10, -2), sides.person.email]) expect(body).not.toContain(secret);
  });

  it('says “one of the application’s users” where no name is known', async () => {
    const sides = await customerWithPendingClaim(server);
    const requester = await newApplication(server, 'Nameless');
    const claim = await newClaim(server, { ...sides, requester, subjectId: await newSubject(server, requester) });
    expect((await openPage(server, claim)).body).toContain('one of its users');
  });

  describe('404 and 410', () => {
    it.each(['x', '%00', '..%2fv1', '%25', 'é', `'"><b>`])(
      'is a page for a browser that has no such request: %s',
      async (token) => {
        const answer = await openPage(server, { consentToken: encodeURI(decodeURI(token)) });
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(answer.body).toContain('We do not know this link');
        expect(answer.body).not.toContain('<b>');
      },
    );

    it('is a page for a browser when the request has expired', async () => {
      const sides = await customerWithPendingClaim(server);
      await after(server, DAY_MS, sides);
      const answer = await openPage(server, sides.claim);
      expect([answer.statusCode, answer.headers['x-frame-options']]).toEqual([410, 'DENY']);
      expect(answer.body).toContain('This request is over');
    });
  });
});

describe('GET /consent/{token}', () => {
  const server = useApp();
  const read = (consentToken: string) => server.call('GET', `/api/v1/consent/${consentToken}`);

  it('shows the requester, the request and its expiry to anyone with the link', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answer = await read(claim.consentToken);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(answer.json().data).toEqual({
      consentId: claim.id,
      tagString: sides.tag,
      qualifiedAddress: `${sides.tag}@${sides.owner.namespace}`,
      requestedByAppId: sides.requester.applicationId,
      requestedByAppName: 'Shop',
      subjectDisplayName: 'Bola Ade',
      state: 'PENDING',
      requestedAt: expect.any(String),
      tokenExpiresAt: claim.tokenExpiresAt,
    });
    expect(server.logged).not.toContain(claim.consentToken);
  });

  it('does nothing, however often a link is prefetched', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    const answers = await Promise.all(Array.from({ length: 10 }, () => read(claim.consentToken)));
    for (const answer of answers) expect(answer.json().data).toMatchObject({ state: 'PENDING' });
    expect(await claimsSeenBy(server, sides.owner, sides.tag)).toEqual([claim]);
    const tooSoon = await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect(tooSoon.json().errorCode).toBe('OWNER_CONSENT_REQUIRED');
  });

  it('shows that the owner consented, and the outcome of the claim', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await consentInPerson(server, claim);
    expect((await read(claim.consentToken)).json().data).toMatchObject({
      state: 'PENDING',
      ownerConfirmedAt: expect.any(String),
    });
    await answerConsent(server, sides.requester, claim.consentToken, 'approve');
    expect((await read(claim.consentToken)).json().data).toMatchObject({ state: 'APPROVED' });
  });

  it.each(['x', '%00', '..%2fv1', '%25', 'é', "'or'1'='1"])('404: knows no consent request %s', async (token) => {
    expect(refusalOf(await read(token))).toEqual([404, 'CONSENT_NOT_FOUND']);
  });

  it('404: takes a token as it is: not cut, not padded, not in other capitals', async () => {
    const { consentToken } = await newClaim(server, await newSides(server));
    for (const wrong of [consentToken.slice(1), `${consentToken}=`, `${consentToken}%20`, consentToken.toUpperCase()]) {
      expect((await read(wrong)).statusCode).toBe(404);
    }
  });

  it('410: says that the request has expired', async () => {
    const sides = await newSides(server);
    const claim = await newClaim(server, sides);
    await after(server, DAY_MS, sides);
    expect(refusalOf(await read(claim.consentToken))).toEqual([410, 'CONSENT_EXPIRED']);
  });
});

describe('POST /consent/{token}', () => {
  const server = useApp();

  it('records an approval, notifies the application, and redirects to the status page', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    const answer = await answerByPassword(server, claim, { paytag: `@${claim.tagString.toUpperCase()}` });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, pathOf(claim)]);
    expect(await eventsFor(server, requester)).toEqual([
      { event: 'CONSENT_CONFIRMED', reference: claim.id, data: claim },
    ]);
    expect((await openPage(server, claim)).body).toContain('is approved');
    const fetched = await answerConsent(server, requester, claim.consentToken, 'approve');
    expect([fetched.statusCode, fetched.json().data.consentId]).toEqual([200, claim.id]);
    for (const secret of [PASSWORD, claim.consentToken]) expect(server.logged).not.toContain(secret);
  });

  it('accepts a decline, even after an approval, until the application has fetched the approval', async () => {
    const { claim, requester, tag } = await customerWithPendingClaim(server);
    await answerByPassword(server, claim);
    expect((await answerByPassword(server, claim, { answer: 'decline' })).statusCode).toBe(303);
    expect(await claimsSeenBy(server, requester, tag)).toMatchObject([{ state: 'REJECTED' }]);
    expect((await eventsFor(server, requester)).map(({ event }) => event)).toEqual([
      'CONSENT_CONFIRMED',
      'CONSENT_REJECTED',
    ]);
  });

  it('accepts the customer’s code, with any spacing', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    await askForCode(server, claim);
    expect((await answerByCode(server, claim, ' 123 456 ')).statusCode).toBe(303);
    expect(await eventsFor(server, requester)).toHaveLength(1);
  });

  it('accepts the code that was mailed to the owner of an application’s tag', async () => {
    const sides = await subjectWithRequester(server, { email: 'owner@example.com' });
    const claim = await newClaim(server, sides);
    await askForCode(server, claim, 'email');
    expect((await answerByCode(server, claim, OTP)).statusCode).toBe(303);
    expect(await eventsFor(server, sides.requester)).toHaveLength(1);
  });

  it('exactly one of fifty concurrent approvals is recorded and published', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    const form = await sealOf(server, claim);
    const answers = await Promise.all(Array.from({ length: 50 }, () => answerByPassword(server, claim, { form })));
    expect(answers.some(({ statusCode }) => statusCode === 303)).toBe(true);
    for (const { statusCode } of answers) expect([303, 409, 429]).toContain(statusCode);
    expect((await eventsFor(server, requester)).map(({ event }) => event)).toEqual(['CONSENT_CONFIRMED']);
  });

  it('exactly one of fifty concurrent answers with one code is accepted', async () => {
    const { claim, requester } = await customerWithPendingClaim(server);
    await askForCode(server, claim);
    const answers = await Promise.all(Array.from({ length: 50 }, () => answerByCode(server, claim, OTP)));
    expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
    expect((await eventsFor(server, requester)).map(({ event }) => event)).toEqual(['CONSENT_CONFIRMED']);
  });
});
