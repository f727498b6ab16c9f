import { describe, expect, it } from 'vitest';
import { collectGarbage } from '#lib/runtime.ts';
import { openStatement } from '#modules/statements';
import { type TestApp, type TestPartner, useApp } from '../../support/app.ts';
import {
  newCustomer,
  newPerson,
  OTP,
  type Person,
  startChange,
  startReset,
  startSession,
} from '../../support/onboarding.ts';
import { type LoggedIn, loggedIn } from '../../support/wallets.ts';

const server = useApp();
const limited = useApp({ RATE_LIMIT_MESSAGES_PER_D: '30', RATE_LIMIT_CODES_PER_D: '4' });
/** The same installation, whose messages go to Ghana too. */
const elsewhere = useApp({ MESSAGING_COUNTRIES: 'NG,GH' }, server);
const HOURS_OF_A_DAY = 24;
const HOUR_MS = 3_600_000;

const newReset = async (at: TestApp, partner: TestPartner, { paytag }: Person): Promise<string> =>
  (await startReset(at, partner, paytag)).json<{ session: string }>().session;
const send = (at: TestApp, { headers }: TestPartner, session: string) =>
  at.call('GET', `/v2/sso/${session}/otp`, { headers });
const give = async (at: TestApp, { headers }: TestPartner, session: string, otp = '000000'): Promise<number> =>
  (await at.call('POST', `/v2/sso/${session}/otp`, { headers, payload: { otp } })).statusCode;

/** What gets through on each of several days, when somebody tries every hour for as long as it works. */
async function perDay(days: number, tryOnce: () => Promise<boolean>): Promise<number[]> {
  const through: number[] = [];
  for (let day = 0; day < days; day++) {
    let count = 0;
    for (let hour = 0; hour < HOURS_OF_A_DAY; hour++) {
      while (await tryOnce()) count += 1;
      server.clock.advance(HOUR_MS);
    }
    through.push(count);
  }
  return through;
}

describe('somebody who goes on day after day', () => {
  it('V6.6.3: has twenty messages sent to a customer on the first day at her bank, and then one or two a day', async () => {
    const bank = await server.newPartner();
    const person = await newCustomer(server, bank);
    const sent = await perDay(4, async () => {
      const started = await startReset(server, bank, person.paytag);
      return started.statusCode === 200 && (await send(server, bank, started.json().session)).statusCode === 200;
    });
    expect(sent[0]).toBeLessThanOrEqual(20);
    expect(sent[1]).toBeLessThanOrEqual(5);
    expect(Math.max(...sent.slice(2))).toBeLessThanOrEqual(2);
    expect(Math.min(...sent)).toBeGreaterThan(0);
  });

  it('V6.6.3: guesses twenty codes on the first day, and then one or two a day, until the right one is given', async () => {
    const bank = await server.newPartner();
    const person = await newCustomer(server, bank);
    let session = '';
    const guessed = await perDay(4, async () => {
      const first = session === '' ? 409 : await give(server, bank, session);
      if (first === 400) return true;
      session = (await startReset(server, bank, person.paytag)).json<{ session?: string }>().session ?? '';
      if (session === '' || (await send(server, bank, session)).statusCode !== 200) return false;
      return (await give(server, bank, session)) === 400;
    });
    expect(guessed[0]).toBeLessThanOrEqual(24);
    expect(Math.max(...guessed.slice(2))).toBeLessThanOrEqual(4);
    server.clock.advance(2 * HOURS_OF_A_DAY * HOUR_MS);
    const own = await newReset(server, bank, person);
    expect((await send(server, bank, own)).statusCode).toBe(200);
    expect(await give(server, bank, own, OTP)).toBe(200);
    const next = await newReset(server, bank, person);
    for (let n = 0; n < 4; n++) {
      server.clock.advance(61_000);
      expect((await send(server, bank, next)).statusCode).toBe(200);
      expect(await give(server, bank, next)).toBe(400);
    }
  });
});

describe('a partner', () => {
  it('V2.4.1: has so many messages sent in a day as its budget says, of fifty at once too; then it is told to wait', async () => {
    const [flooder, other] = [await limited.newPartner(), await limited.newPartner()];
    const sessions: string[] = [];
    for (let n = 0; n < 50; n++) sessions.push(await startSession(limited, flooder, newPerson()));
    const answers = await Promise.all(sessions.map((session) => send(limited, flooder, session)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({
      errorCode: 'TOO_MANY_REQUESTS',
      message: expect.stringContaining('messages'),
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(HOUR_MS / 1000);
    expect((await send(limited, other, await startSession(limited, other, newPerson()))).statusCode).toBe(200);
    limited.clock.advance(HOURS_OF_A_DAY * HOUR_MS);
    const next = await startSession(limited, flooder, newPerson());
    expect((await send(limited, flooder, next)).statusCode).toBe(200);
  });

  it('V2.4.1: sends one phone no more codes by naming another person for each', async () => {
    const { phone } = newPerson();
    const statuses: number[] = [];
    for (let n = 0; n < 13; n++) {
      const at = await limited.newPartner();
      statuses.push((await send(limited, at, await startSession(limited, at, { ...newPerson(), phone }))).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
  });

  it('V2.4.1: sends one phone no more codes by having its own customers name it as their new one', async () => {
    const { phone } = newPerson();
    const statuses: number[] = [];
    const at = await limited.newPartner();
    for (let n = 0; n < 13; n++) {
      statuses.push((await startChange(limited, await loggedIn(limited, at), { phone })).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
  });
});

describe('numbers that cost a fortune to call', () => {
  const refused = [
    '+88216123456789',
    '+8816123456789',
    '+870773111632',
    '+252611234567',
    '+2349007654321',
    '+16502530000',
  ];

  it.each(refused)('V2.4.1: are on nobody’s record: %s is refused, and the refusal names the member', async (phone) => {
    const { headers } = await server.newPartner();
    const { paytag, ...person } = { ...newPerson(), phone };
    for (const [path, payload] of [
      ['/v2/partner/paytag', { ...person, tag: paytag }],
      ['/v2/sso/create-tag', person],
    ] as const) {
      const answer = await server.call('POST', path, { headers, payload });
      expect([answer.statusCode, answer.json().errorCode]).toEqual([400, 'INVALID_PARAMETER']);
      expect(answer.json().message).toContain('phone: ');
    }
  });

  it('V2.4.1: are sent nothing, where one is on record from before', async () => {
    const partner = await elsewhere.newPartner();
    const session = await startSession(elsewhere, partner, { ...newPerson(), phone: '+233241234567' });
    const answer = await send(server, partner, session);
    expect([answer.statusCode, answer.json().errorCode]).toEqual([400, 'OTP_CHANNEL_UNAVAILABLE']);
    expect((await send(elsewhere, partner, session)).statusCode).toBe(200);
  });
});

/** Fetches the statement of a link, and leaves it unread: it is being written until it is destroyed. */
async function open({ headers }: LoggedIn): Promise<Awaited<ReturnType<typeof openStatement>>> {
  const asked = await server.call('POST', '/v2/sso/transaction/statement', { headers });
  const token = new URL(asked.json<{ url: string }>().url).pathname.split('/').at(-1) ?? '';
  return openStatement(server.resources, token);
}

it('V15.2.2: whoever fetches statements of one wallet again and again leaves room for those of others', async () => {
  const partner = await server.newPartner();
  const [flooder, other] = [await loggedIn(server, partner), await loggedIn(server, partner)];
  const held = [await open(flooder), await open(flooder)];
  await expect(open(flooder)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 2 });
  held.push(await open(other));
  for (const { body } of held) body.destroy();
  await Promise.all(
    held.map(async ({ body }) => body.closed || (await new Promise((done) => body.once('close', done)))),
  );
  (await open(flooder)).body.destroy();
});

it('a document that was read is kept no longer, however many are read in a minute', async () => {
  const { headers } = await loggedIn(server, await server.newPartner());
  const read = async (documents: number): Promise<number> => {
    for (let count = 0; count < documents; count += 1) {
      const asked = await server.call('POST', '/v2/sso/transaction/statement', { headers });
      const { pathname } = new URL(asked.json<{ url: string }>().url);
      expect((await server.call('GET', pathname)).statusCode).toBe(200);
    }
    await collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await read(3);
  expect((await read(10)) - before).toBeLessThan(10 * 2 ** 20); // of each, more than two megabytes
});
