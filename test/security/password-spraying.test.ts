import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type TestApp, type TestPartner, useApp } from '../support/app.ts';
import { logIn, newCustomer, type Person } from '../support/onboarding.ts';

const WRONG = 'Kilimanjaro-78';
const FAILURES = 12;
const GUESSES_EACH = 4;
const HOUR_MS = 3_600_000;
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
