import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useApp } from '../support/app.ts';
import { newApplication, newToken, type TestApplication } from '../support/application.ts';
import { newClaim, type Sides, type TestClaim } from '../support/claims.ts';
import { answerByCode, answerByPassword, askForCode, pathOf, postForm, sealOf } from '../support/consent-page.ts';
import { linkTo } from '../support/link-page.ts';
import { logIn, newCustomer, OTP, type Person } from '../support/onboarding.ts';
import { completeReset, startReset } from '../support/password-reset.ts';
import { newSubject } from '../support/tags.ts';

const server = useApp({ RATE_LIMIT_WRONG_PROOFS_PER_H: '0' });
const counting = useApp({ RATE_LIMIT_WRONG_PROOFS_PER_H: '7' }, server);
const HOUR_MS = 3_600_000;
const CLAIMS_EACH = 2;
const GUESSES_EACH_CLAIM = 5;

let bank: TestPartner;
let strangers: TestApplication[];
beforeAll(async () => {
  bank = await server.newPartner();
  strangers = [];
  for (let n = 0; n < 4; n++) strangers.push(await newApplication(server, `Stranger ${n}`));
});

/** Requests of the strangers for a customer's PayTag, each of which takes five attempts. */
async function claimsOn({ paytag }: Person, each = CLAIMS_EACH): Promise<TestClaim[]> {
  const claims: TestClaim[] = [];
  for (const application of strangers) {
    const stranger = { ...application, headers: await newToken(server, application) };
    for (let n = 0; n < each; n++) {
      const sides: Sides = {
        owner: stranger,
        requester: stranger,
        stranger,
        tag: paytag,
        subjectId: await newSubject(server, stranger),
      };
      claims.push(await newClaim(server, sides));
    }
  }
  return claims;
}

/** Gives five wrong codes on each page. */
async function guessOn(claims: TestClaim[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const claim of claims) {
    const form = await sealOf(server, claim);
    const wrong = { form, by: 'code', answer: 'approve', code: '000000' };
    for (let n = 0; n < GUESSES_EACH_CLAIM; n++) {
      statuses.push((await postForm(server, pathOf(claim), wrong)).statusCode);
    }
  }
  return statuses;
}

/** What a customer who forgot her password does at her bank, with one slip. */
async function resetAtBank({ paytag }: Person): Promise<number[]> {
  const { headers } = bank;
  const started = await startReset(server, bank, paytag);
  const { session } = started.json<{ session: string }>();
  const sent = await server.call('GET', `/v2/sso/${session}/otp`, { headers });
  const give = (otp: string) => server.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } });
  const [slip, right] = [await give('000000'), await give(OTP)];
  const done = await completeReset(server, bank, session);
  return [started, sent, slip, right, done].map(({ statusCode }) => statusCode);
}
const WORKS = [200, 200, 400, 200, 200];

describe('applications that anybody registers', () => {
  it('V6.1.1: wrong codes on their pages, where none was sent, keep no customer from the reset at her bank', async () => {
    const person = await newCustomer(server, bank);
    for (let round = 0; round < 2; round++) {
      const statuses = await guessOn(await claimsOn(person));
      expect(new Set(statuses)).toEqual(new Set([400]));
      expect(await resetAtBank(person)).toEqual(WORKS);
      server.clock.advance(HOUR_MS);
    }
  });

  it('V6.6.3: codes that they have sent and guess keep nobody from the reset either, and are guessed thirty times in all', async () => {
    const person = await newCustomer(server, bank);
    const claims = await claimsOn(person);
    let sent = 0;
    for (const claim of claims) if ((await askForCode(server, claim)).statusCode === 303) sent += 1;
    expect(sent).toBe(claims.length);
    const statuses = await guessOn(claims);
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await resetAtBank(person)).toEqual(WORKS);
  });

  it('V6.1.1: passwords guessed on their pages slow no first login at a partner', async () => {
    const person = await newCustomer(server, bank);
    let looked = 0;
    for (const claim of await claimsOn(person)) {
      for (let n = 0; n < 3; n++) {
        server.clock.advance(15 * 60_000);
        const answer = await answerByPassword(server, claim, { password: 'Kilimanjaro-78' });
        if (answer.statusCode === 401) looked += 1;
      }
    }
    expect(looked).toBe(24);
    expect((await logIn(server, await server.newPartner(), person.paytag)).statusCode).toBe(200);
  });

  it('V6.1.1: wrong codes on the page of a link, where none was sent, keep nobody from approving it by a code', async () => {
    const person = await newCustomer(server, bank);
    for (let links = 0; links < 7; links++) {
      const link = await linkTo(server, person);
      for (let n = 0; n < GUESSES_EACH_CLAIM; n++) await answerByCode(server, link, '000000');
    }
    const link = await linkTo(server, person);
    await askForCode(server, link);
    expect((await answerByCode(server, link, OTP)).statusCode).toBe(303);
  });
});

describe('partners where she never logged in', () => {
  it('V6.1.1: codes that they send and guess keep nobody from the reset at her bank', async () => {
    const person = await newCustomer(server, bank);
    const statuses: number[] = [];
    for (let partners = 0; partners < 4; partners++) {
      const { headers } = await server.newPartner();
      for (let sessions = 0; sessions < 2; sessions++) {
        const started = await server.call('POST', '/v2/sso/password', { headers, payload: { paytag: person.paytag } });
        const { session } = started.json<{ session: string }>();
        await server.call('GET', `/v2/sso/${session}/otp`, { headers });
        for (let n = 0; n < 5; n++) {
          const wrong = { headers, payload: { otp: '000000' } };
          statuses.push((await server.call('POST', `/v2/sso/${session}/otp`, wrong)).statusCode);
        }
      }
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect(await resetAtBank(person)).toEqual(WORKS);
  });
});

describe('somebody with one address', () => {
  it('V6.3.1: is slowed on approval pages, whosever password or code they guess, and right answers count nothing', async () => {
    const people = [];
    for (let n = 0; n < 3; n++) people.push(await newCustomer(server, bank));
    counting.clock.stop(); // the first wait is a second
    const wrong: number[] = [];
    for (const person of people) {
      const [claim] = await claimsOn(person, 1);
      for (let n = 0; n < 4; n++) wrong.push((await answerByPassword(counting, claim!, { password: 'no' })).statusCode);
    }
    expect(wrong.filter((status) => status === 401)).toHaveLength(7);
    expect(wrong.at(-1)).toBe(429);
    counting.clock.advance(60_000);
    for (const person of [await newCustomer(server, bank), await newCustomer(server, bank)]) {
      const [claim] = await claimsOn(person, 1);
      expect((await answerByPassword(counting, claim!)).statusCode).toBe(303);
    }
  });
});

describe('PayTags that nobody has', () => {
  it('V6.1.1: named in a hundred resets at a bank, stop no reset of a customer there', async () => {
    const person = await newCustomer(server, bank);
    const statuses: number[] = [];
    for (let n = 0; n < 101; n++) statuses.push((await startReset(server, bank, `nobody.${n}`)).statusCode);
    expect(statuses.at(-1)).toBe(429);
    expect(await resetAtBank(person)).toEqual(WORKS);
  });
});
