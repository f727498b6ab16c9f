import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { after, claimsSeenBy, DAY_MS, eventsFor, newClaim } from '../../support/claims.ts';
import {
  answerByCode,
  answerByPassword,
  askForCode,
  customerWithPendingClaim,
  openPage,
  pathOf,
  postForm,
  sealOf,
  subjectWithRequester,
} from '../../support/consent-page.ts';
import { createPayTag, newPerson, OTP, PASSWORD } from '../../support/onboarding.ts';

const server = useApp();

/** A claim on which nothing was done. */
async function expectUntouched({ claim, requester, tag }: Awaited<ReturnType<typeof customerWithPendingClaim>>) {
  expect(await claimsSeenBy(server, requester, tag)).toEqual([claim]);
  expect(await eventsFor(server, requester)).toEqual([]);
}

describe('400', () => {
  it.each([
    ['nothing', []],
    [
      'no answer',
      [
        ['by', 'code'],
        ['code', OTP],
      ],
    ],
    [
      'an unknown answer',
      [
        ['by', 'code'],
        ['code', OTP],
        ['answer', 'maybe'],
      ],
    ],
    [
      'two answers',
      [
        ['by', 'code'],
        ['code', OTP],
        ['answer', 'approve'],
        ['answer', 'decline'],
      ],
    ],
    [
      'two passwords',
      [
        ['by', 'password'],
        ['paytag', 'x'],
        ['password', 'a'],
        ['password', 'b'],
        ['answer', 'approve'],
      ],
    ],
    [
      'a password without end',
      [
        ['by', 'password'],
        ['paytag', 'x'],
        ['password', 'a'.repeat(300)],
        ['answer', 'approve'],
      ],
    ],
  ] as [string, [string, string][]][])('is a page that asks again for a form with %s', async (_what, fields) => {
    const sides = await customerWithPendingClaim(server);
    const answer = await postForm(server, pathOf(sides.claim), [
      ['form', await sealOf(server, sides.claim)],
      ...fields,
    ]);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('Something is missing');
    await expectUntouched(sides);
  });

  it('refuses a code that is not hers, was sent for another request, was used, or is too old', async () => {
    const [one, other] = [await customerWithPendingClaim(server), await customerWithPendingClaim(server)];
    await askForCode(server, one.claim);
    for (const [claim, code] of [
      [one.claim, '000000'],
      [other.claim, OTP],
    ] as const) {
      const answer = await answerByCode(server, claim, code);
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('That is not the code')]);
    }
    expect((await answerByCode(server, one.claim, OTP)).statusCode).toBe(303);
    const used = await answerByCode(server, one.claim, OTP, 'decline');
    expect([used.statusCode, used.body]).toEqual([400, expect.stringContaining('That is not the code')]);
    await askForCode(server, other.claim);
    server.clock.advance(5 * 60 * 1000);
    const late = await answerByCode(server, other.claim, OTP);
    expect([late.statusCode, late.body]).toEqual([400, expect.stringContaining('That code is too old')]);
    await expectUntouched(other);
  });
});

describe('401', () => {
  it('says the same of a wrong password, somebody else’s PayTag, none, and a customer without a password', async () => {
    const [sides, stranger] = [await customerWithPendingClaim(server), await customerWithPendingClaim(server)];
    const person = newPerson();
    await createPayTag(server, await server.newPartner(), person);
    const withoutPassword = await newClaim(server, { ...sides, tag: person.paytag });
    const answers = [
      await answerByPassword(server, sides.claim, { password: 'wrong' }),
      await answerByPassword(server, sides.claim, { paytag: stranger.tag }),
      await answerByPassword(server, sides.claim, { paytag: '\u0000' }),
      await answerByPassword(server, sides.claim, { password: '' }),
      await answerByPassword(server, withoutPassword),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.body).toContain('That PayTag and password do not match');
    }
    await expectUntouched(sides);
  });

  it('takes no password for a tag that no customer owns', async () => {
    const claim = await newClaim(server, await subjectWithRequester(server, { email: 'owner@example.com' }));
    expect((await answerByPassword(server, claim)).statusCode).toBe(401);
  });
});

describe('403', () => {
  it('refuses a form without our seal, with another’s, a changed and an old one, and spends no attempt on it', async () => {
    const [sides, other] = [await customerWithPendingClaim(server), await customerWithPendingClaim(server)];
    const [ours, theirs] = [await sealOf(server, sides.claim), await sealOf(server, other.claim)];
    const later = ours.replace(/^\d+/, (until) => String(Number(until) + 1));
    for (const form of ['', 'x', theirs, later, `${ours}x`, ours.slice(0, -1)]) {
      const answer = await answerByPassword(server, sides.claim, { form });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    }
    await expectUntouched(sides);
    server.clock.advance(60 * 60 * 1000);
    expect((await answerByPassword(server, sides.claim, { form: ours })).statusCode).toBe(403);
    expect((await answerByPassword(server, sides.claim)).statusCode).toBe(303);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 303],
    [{}, 303],
  ] as [Record<string, string>, number][])('of a form that a browser sends with %j: %i', async (headers, status) => {
    const { claim } = await customerWithPendingClaim(server);
    const fields = { by: 'password', paytag: claim.tagString, password: PASSWORD, answer: 'approve' };
    const form = await sealOf(server, claim);
    expect((await postForm(server, pathOf(claim), { form, ...fields }, headers)).statusCode).toBe(status);
  });
});

describe('404, 409 and 410', () => {
  it('refuses a form for a request that nobody made, that was answered, or that is over', async () => {
    const sides = await customerWithPendingClaim(server);
    const form = await sealOf(server, sides.claim);
    const unknown = await answerByPassword(server, { ...sides.claim, consentToken: 'x' }, { form });
    expect(unknown.statusCode).toBe(403);
    await answerByPassword(server, sides.claim);
    const again = await answerByPassword(server, sides.claim, { form });
    expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('is approved')]);
    await answerByPassword(server, sides.claim, { answer: 'decline', form });
    const late = await answerByPassword(server, sides.claim, { answer: 'decline', form });
    expect([late.statusCode, late.body]).toEqual([409, expect.stringContaining('This request was declined')]);
    expect(await eventsFor(server, sides.requester)).toHaveLength(2);
    const next = await newClaim(server, sides);
    server.clock.advance(DAY_MS - 1000);
    const last = await sealOf(server, next);
    await after(server, 1000, sides);
    expect((await answerByPassword(server, next, { form: last })).statusCode).toBe(410);
  });

  it('refuses an approval on a suspended tag, and takes her decline', async () => {
    const { claim } = await customerWithPendingClaim(server);
    await server.owner.query(`update tags.tag set status = 'SUSPENDED' where handle = $1`, [claim.tagString]);
    const refused = await answerByPassword(server, claim);
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('This tag is suspended')]);
    expect((await answerByPassword(server, claim, { answer: 'decline' })).statusCode).toBe(303);
  });
});

describe('413 and 415', () => {
  it('is a page, too, for what is no form of ours', async () => {
    const { claim } = await customerWithPendingClaim(server);
    const json = await postForm(server, pathOf(claim), { by: 'code' }, { 'content-type': 'application/json' });
    const large = await postForm(server, pathOf(claim), { form: 'x'.repeat(40_000) });
    expect([json.statusCode, large.statusCode]).toEqual([415, 413]);
    for (const answer of [json, large]) expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('429', () => {
  it('looks at five of fifty wrong passwords that come at once, and then at no right one', async () => {
    const sides = await customerWithPendingClaim(server);
    const form = await sealOf(server, sides.claim);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => answerByPassword(server, sides.claim, { form, password: 'wrong' })),
    );
    const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
    expect([count(401), count(429)]).toEqual([5, 45]);
    server.clock.advance(15 * 60 * 1000);
    const right = await answerByPassword(server, sides.claim, { form });
    expect([right.statusCode, right.body]).toEqual([429, expect.stringContaining('Too many attempts')]);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    expect((await openPage(server, sides.claim)).body).not.toContain('<form');
    await expectUntouched(sides);
  });

  it('slows who guesses a PayTag’s password on one request after another', async () => {
    const sides = await customerWithPendingClaim(server);
    for (let guess = 0; guess < 5; guess += 1) await answerByPassword(server, sides.claim, { password: 'wrong' });
    const other = await customerWithPendingClaim(server);
    const next = await newClaim(server, { ...other, tag: sides.tag });
    const answer = await answerByPassword(server, next);
    expect([answer.statusCode, answer.body]).toEqual([429, expect.stringContaining('Please wait')]);
    expect((await openPage(server, next)).body).toContain('<form');
    server.clock.advance(31_000);
    expect((await answerByPassword(server, next)).statusCode).toBe(303);
  });
});
