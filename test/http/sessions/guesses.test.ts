import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type TestApp, type TestPartner, useApp } from '../../support/app.ts';
import { newApplication, newToken, type TestApplication } from '../../support/application.ts';
import { newClaim, type Sides, type TestClaim } from '../../support/claims.ts';
import {
  answerByCode,
  answerByPassword,
  askForCode,
  linkTo,
  pathOf,
  postForm,
  sealOf,
} from '../../support/consent-page.ts';
import { completeReset, logIn, newCustomer, OTP, type Person, startReset } from '../../support/onboarding.ts';
import { newSubject } from '../../support/tags.ts';

const uncounted = useApp({ RATE_LIMIT_WRONG_PROOFS_PER_H: '0' });
const counting = useApp({ RATE_LIMIT_WRONG_PROOFS_PER_H: '7' }, uncounted);
const HOUR_MS = 3_600_000;
const CLAIMS_EACH = 2;
const GUESSES_EACH_CLAIM = 5;

let herBank: TestPartner;
let strangers: TestApplication[];

beforeAll(async () => {
  herBank = await uncounted.newPartner();
  strangers = [];
  for (let n = 0; n < 4; n++) strangers.push(await newApplication(uncounted, `Stranger ${n}`));
});

/** Requests of the strangers for a customer's PayTag, each of which takes five attempts. */
async function claimsOn({ paytag }: Person, each = CLAIMS_EACH): Promise<TestClaim[]> {
  const claims: TestClaim[] = [];
  for (const application of strangers) {
    const stranger = { ...application, headers: await newToken(uncounted, application) };
    for (let n = 0; n < each; n++) {
      const sides: Sides = {
        owner: stranger,
        requester: stranger,
        stranger,
        tag: paytag,
        subjectId: await newSubject(uncounted, stranger),
      };
      claims.push(await newClaim(uncounted, sides));
    }
  }
  return claims;
}

/** Gives five wrong codes on each page. */
async function guessOn(claims: TestClaim[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const claim of claims) {
    const form = await sealOf(uncounted, claim);
    const wrong = { form, by: 'code', answer: 'approve', code: '000000' };
    for (let n = 0; n < GUESSES_EACH_CLAIM; n++) {
      statuses.push((await postForm(uncounted, pathOf(claim), wrong)).statusCode);
    }
  }
  return statuses;
}

/** What a customer who forgot her password does at her bank, with one slip. */
async function resetAtBank({ paytag }: Person): Promise<number[]> {
  const { headers } = herBank;
  const started = await startReset(uncounted, herBank, paytag);
  const { session } = started.json<{ session: string }>();
  const sent = await uncounted.call('GET', `/v2/sso/${session}/otp`, { headers });
  const give = (otp: string) => uncounted.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } });
  const [slip, right] = [await give('000000'), await give(OTP)];
  const done = await completeReset(uncounted, herBank, session);
  return [started, sent, slip, right, done].map(({ statusCode }) => statusCode);
}
const WORKS = [200, 200, 400, 200, 200];

describe('applications that anybody registers', () => {
  it('V6.1.1: wrong codes on their pages, where none was sent, keep no customer from the reset at her bank', async () => {
    const person = await newCustomer(uncounted, herBank);
    for (let round = 0; round < 2; round++) {
      const statuses = await guessOn(await claimsOn(person));
      expect(new Set(statuses)).toEqual(new Set([400]));
      expect(await resetAtBank(person)).toEqual(WORKS);
      uncounted.clock.advance(HOUR_MS);
    }
  });

  it('V6.6.3: codes that they have sent and guess keep nobody from the reset either, and are guessed thirty times in all', async () => {
    const person = await newCustomer(uncounted, herBank);
    const claims = await claimsOn(person);
    let sent = 0;
    for (const claim of claims) if ((await askForCode(uncounted, claim)).statusCode === 303) sent += 1;
    expect(sent).toBe(claims.length);
    const statuses = await guessOn(claims);
    expect(statuses.filter((status) => status === 400)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await resetAtBank(person)).toEqual(WORKS);
  });

  it('V6.1.1: passwords guessed on their pages slow no first login at a partner', async () => {
    const person = await newCustomer(uncounted, herBank);
    let looked = 0;
    for (const claim of await claimsOn(person)) {
      for (let n = 0; n < 3; n++) {
        uncounted.clock.advance(15 * 60_000);
        const answer = await answerByPassword(uncounted, claim, { password: 'Kilimanjaro-78' });
        if (answer.statusCode === 401) looked += 1;
      }
    }
    expect(looked).toBe(24);
    expect((await logIn(uncounted, await uncounted.newPartner(), person.paytag)).statusCode).toBe(200);
  });

  it('V6.1.1: wrong codes on the page of a link, where none was sent, keep nobody from approving it by a code', async () => {
    const person = await newCustomer(uncounted, herBank);
    for (let links = 0; links < 7; links++) {
      const link = await linkTo(uncounted, person);
      for (let n = 0; n < GUESSES_EACH_CLAIM; n++) await answerByCode(uncounted, link, '000000');
    }
    const link = await linkTo(uncounted, person);
    await askForCode(uncounted, link);
    expect((await answerByCode(uncounted, link, OTP)).statusCode).toBe(303);
  });
});

describe('partners where she never logged in', () => {
  it('V6.1.1: codes that they send and guess keep nobody from the reset at her bank', async () => {
    const person = await newCustomer(uncounted, herBank);
    const statuses: number[] = [];
    for (let partners = 0; partners < 4; partners++) {
      const { headers } = await uncounted.newPartner();
      for (let sessions = 0; sessions < 2; sessions++) {
        const started = await uncounted.call('POST', '/v2/sso/password', {
          headers,
          payload: { paytag: person.paytag },
        });
        const { session } = started.json<{ session: string }>();
        await uncounted.call('GET', `/v2/sso/${session}/otp`, { headers });
        for (let n = 0; n < 5; n++) {
          const wrong = { headers, payload: { otp: '000000' } };
          statuses.push((await uncounted.call('POST', `/v2/sso/${session}/otp`, wrong)).statusCode);
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
    for (let n = 0; n < 3; n++) people.push(await newCustomer(uncounted, herBank));
    counting.clock.stop(); // the first wait is a second
    const wrong: number[] = [];
    for (const person of people) {
      const [claim] = await claimsOn(person, 1);
      for (let n = 0; n < 4; n++) wrong.push((await answerByPassword(counting, claim!, { password: 'no' })).statusCode);
    }
    expect(wrong.filter((status) => status === 401)).toHaveLength(7);
    expect(wrong.at(-1)).toBe(429);
    counting.clock.advance(60_000);
    for (const person of [await newCustomer(uncounted, herBank), await newCustomer(uncounted, herBank)]) {
      const [claim] = await claimsOn(person, 1);
      expect((await answerByPassword(counting, claim!)).statusCode).toBe(303);
    }
  });
});

describe('PayTags that nobody has', () => {
  it('V6.1.1: named in a hundred resets at a bank, stop no reset of a customer there', async () => {
    const person = await newCustomer(uncounted, herBank);
    const statuses: number[] = [];
    for (let n = 0; n < 101; n++) statuses.push((await startReset(uncounted, herBank, `nobody.${n}`)).statusCode);
    expect(statuses.at(-1)).toBe(429);
    expect(await resetAtBank(person)).toEqual(WORKS);
  });
});

describe('passwords', () => {
  const WRONG = 'Kilimanjaro-78';
  const FAILURES = 12;
  const GUESSES_EACH = 4;
  const env = { RATE_LIMIT_FAILED_LOGINS_PER_H: String(FAILURES) };

  const server = useApp(env);
  const other = useApp(env, server);

  let bank: TestPartner;
  let customers: Person[];

  beforeEach(async () => {
    bank = await server.newPartner();
    customers = [];
    for (let n = 0; n < 8; n++) customers.push(await newCustomer(server, bank));
  });

  const statusOf = ({ statusCode }: Answer) => statusCode;

  /** Guesses a few times at each PayTag. Answers how many guesses were looked at. */
  async function spray(at: TestApp, partner: TestPartner, paytags: string[]): Promise<number> {
    let looked = 0;
    for (let guess = 0; guess < GUESSES_EACH; guess++) {
      for (const paytag of paytags) if ((await logIn(at, partner, paytag, WRONG)).statusCode !== 429) looked += 1;
    }
    return looked;
  }
  const paytags = () => customers.slice(1).map(({ paytag }) => paytag);

  describe('guesses spread over many PayTags', () => {
    it('V6.3.1: are few: after the partner’s budget each PayTag has one, and who logs in rightly is served', async () => {
      const looked = await spray(server, bank, paytags());
      expect(looked).toBeGreaterThanOrEqual(FAILURES);
      expect(looked).toBeLessThanOrEqual(FAILURES + paytags().length);
      expect(statusOf(await logIn(server, bank, customers[0]!.paytag))).toBe(200);
      const elsewhere = await server.newPartner();
      expect(statusOf(await logIn(server, elsewhere, customers[0]!.paytag))).toBe(200);
    });
  });

  describe('while guesses are spread over many PayTags', () => {
    it('V6.3.1: a second slip waits a minute, then two, and an hour later all is as it was', async () => {
      await spray(server, bank, paytags());
      const { paytag } = customers[0]!;
      const waits: number[] = [];
      for (let slip = 0; slip < 3; slip++) {
        expect(statusOf(await logIn(server, bank, paytag, WRONG))).toBe(401);
        const refused = await logIn(server, bank, paytag);
        expect(refused.json()).toMatchObject({ errorCode: 'TOO_MANY_REQUESTS' });
        waits.push(Number(refused.headers['retry-after']));
        server.clock.advance(waits[slip]! * 1000);
      }
      const expected = [60, 120, 240];
      expect(waits.every((wait, n) => wait <= expected[n]! && wait > expected[n]! / 2)).toBe(true);
      expect(statusOf(await logIn(server, bank, paytag))).toBe(200);
      server.clock.advance(HOUR_MS);
      for (let slip = 0; slip < 3; slip++) expect(statusOf(await logIn(server, bank, paytag, WRONG))).toBe(401);
      expect(statusOf(await logIn(server, bank, paytag))).toBe(200);
    });

    it('V6.3.8: strangers there get in one by one, and nobody learns who has a PayTag', async () => {
      const stranger = await newCustomer(server, await server.newPartner());
      await spray(server, bank, paytags());
      expect(statusOf(await logIn(server, bank, 'nobody.has.it'))).toBe(404);
      const [known, unknown] = [
        await logIn(server, bank, stranger.paytag, WRONG),
        await logIn(server, bank, 'nobody.has.this'),
      ];
      expect([known, unknown].map(statusOf)).toEqual([429, 429]);
      expect(known.json().message).toBe(unknown.json().message);
      server.clock.advance(60_000);
      expect(statusOf(await logIn(server, bank, stranger.paytag))).toBe(200);
    });

    it('V6.3.1: of fifty guesses at once at two processes, over as many PayTags, the budget and a few are looked at', async () => {
      const guesses = Array.from({ length: 50 }, (_, n) => logIn(n % 2 === 0 ? other : server, bank, `nobody.${n}`));
      const statuses = (await Promise.all(guesses)).map(statusOf);
      const looked = statuses.filter((status) => status === 404).length;
      expect(looked).toBeLessThanOrEqual(FAILURES + 8);
    });
  });

  describe('a partner with many customers', () => {
    it('V6.1.1: is not slowed by their slips: each who logs in rightly makes up for one, once a day', async () => {
      for (let round = 0; round < 2; round++) {
        for (const { paytag } of customers) {
          expect(statusOf(await logIn(server, bank, paytag, WRONG))).toBe(401);
          expect(statusOf(await logIn(server, bank, paytag))).toBe(200);
        }
      }
      const [first] = customers;
      expect(statusOf(await logIn(server, bank, first!.paytag, WRONG))).toBe(401);
      expect(statusOf(await logIn(server, bank, first!.paytag, WRONG))).toBe(401);
    });
  });
});

describe('logins', () => {
  const server = useApp({ RATE_LIMIT_LOGINS_PER_M: '40' });

  describe('a partner that logs customers in without end', () => {
    it('V15.2.2: keeps nobody waiting but its own: another partner’s logins are served in their turn', async () => {
      const [flooder, bank] = [await server.newPartner(), await server.newPartner()];
      const theirs: Person[] = [];
      for (let n = 0; n < 4; n++) theirs.push(await newCustomer(server, flooder));
      const ours = await newCustomer(server, bank);

      const answered: { who: string; status: number; retryAfter: unknown }[] = [];
      const note = async (who: string, login: ReturnType<typeof logIn>) => {
        const { statusCode, headers } = await login;
        answered.push({ who, status: statusCode, retryAfter: headers['retry-after'] });
      };
      const flood = Array.from({ length: 120 }, (_, n) =>
        note('flooder', logIn(server, flooder, theirs[n % 4]!.paytag)),
      );
      await Promise.race(flood); // the queue of the flooder is full
      for (let n = 0; n < 3; n++) await note('bank', logIn(server, bank, ours.paytag));
      const flooderMeanwhile = answered.filter(({ who, status }) => who === 'flooder' && status === 200).length;
      await Promise.all(flood);

      const statuses = (whose: string) => answered.filter(({ who }) => who === whose).map(({ status }) => status);
      expect(statuses('bank')).toEqual([200, 200, 200]);
      expect(flooderMeanwhile).toBeLessThan(40);
      expect(new Set(statuses('flooder'))).toEqual(new Set([200, 503]));
      const refused = answered.filter(({ status }) => status === 503);
      for (const { who, retryAfter } of refused) expect([who, retryAfter]).toEqual(['flooder', '1']);
    });
  });

  describe('logins with one PayTag', () => {
    const env = { RATE_LIMIT_LOGINS_PER_M: '10' };
    const [one, other] = [useApp(env, server), useApp(env, server)];

    it('V2.4.1: are as many in a minute as the limit says, of fifty at once at two processes, at each partner', async () => {
      const [partner, elsewhere] = [await server.newPartner(), await server.newPartner()];
      const { paytag } = await newCustomer(server, partner);
      const logins = Array.from({ length: 50 }, (_, n) => logIn(n % 2 === 0 ? one : other, partner, paytag));
      const answers = await Promise.all(logins);
      const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
      expect([count(200), count(429)]).toEqual([10, 40]);
      const refused = answers.find(({ statusCode }) => statusCode === 429);
      expect(refused?.json()).toMatchObject({ errorCode: 'TOO_MANY_REQUESTS' });
      expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect((await logIn(one, elsewhere, paytag)).statusCode).toBe(200);
      server.clock.advance(60_000);
      expect((await logIn(other, partner, paytag)).statusCode).toBe(200);
    });
  });
});
