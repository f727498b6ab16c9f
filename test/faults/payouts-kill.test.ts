import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { repetitions } from '../support/cases.ts';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ACCOUNT } from '../support/payouts.ts';
import { OPERATOR_TOKEN, ownPort, type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import {
  type PayoutStandIn,
  recipientFates,
  type StandInPlan,
  startPayoutStandIn,
  transferFates,
  verifyFates,
} from './payout-books.ts';

/** Put the seed here that a failure names, and the same happens to the same visits of the provider again. */
const SEED = randomInt(2 ** 31);
const PAYOUTS = repetitions({ short: 48, soak: 3_000 });
/** Each step at which somebody is killed, or something goes wrong, comes so often. */
const EACH = repetitions({ short: 1, soak: 12 });
const CLIENTS = 8;
/** It takes as long as a provider is given to know of a payout. */
const ASK_AGAIN = { intervalMs: 200 };
/** Naira; kobo. */
const FLOAT = 10_000_000;
const FEE = 1_075n;

const database = useDatabase();
const kobo = (at: number): number => 10_000 + at;
let direct: DatabaseHandle;
let standIn: PayoutStandIn;
let port: number;
let server: ServerProcess | undefined;
let kills = 0;
let partner: Awaited<ReturnType<typeof remotePartner>>;
let wallet = '';
/** One after the other, also when the next is asked for while it starts. */
let restarted = Promise.resolve();

const start = async (): Promise<ServerProcess> =>
  startServer(
    {
      ...serverEnv(database.url),
      PAYOUT_PROVIDER: 'paystack',
      PAYOUT_PAYSTACK_URL: standIn.url,
      PAYOUT_PAYSTACK_SECRET_KEY: 'sk_of_the_stand_in',
      PAYOUT_TIMEOUT_MS: '500',
      PAYOUT_VERIFY_BASE_MS: '100',
      PAYOUT_NOT_FOUND_AFTER_S: '8',
      FEE_PAYOUT: '10.75',
    },
    { port },
  );
const killAndStart = (): void => {
  restarted = restarted.then(async () => {
    kills += 1;
    await server?.kill('SIGKILL');
    server = await start();
  });
};

/** Each fate as often as it is to come, in any order, among visits to which nothing happens. */
function among<Fate>(fates: readonly Fate[], visits: number): (Fate | null)[] {
  const coming = Array.from({ length: EACH }, () => fates).flat();
  const all = [...coming, ...Array.from({ length: visits - coming.length }, () => null)];
  const whole = { minLength: all.length, maxLength: all.length };
  return fc.sample(fc.shuffledSubarray(all, whole), { seed: SEED, numRuns: 1 })[0] ?? [];
}
const few = Math.max(PAYOUTS / 6, 15); // the server dies, with the others that it was about to send
const plan: StandInPlan = {
  recipient: among(recipientFates, few),
  transfer: among(transferFates, few),
  verify: among(verifyFates, 4 * EACH),
};
const planned = (how: string): number =>
  Object.values(plan).flatMap((fates: readonly (string | null)[]) => fates.filter((fate) => fate?.startsWith(how)))
    .length;

/** The same request until it is answered, as a partner sends it. */
async function payOut(at: number): Promise<void> {
  const json = { amount: kobo(at) / 100, reference: `payout-${at}`, ...ACCOUNT };
  const path = `/v2/partner/wallet/${wallet}/payout`;
  const send = async () => clientOf(server?.url ?? '')('POST', path, { headers: partner.headers, json });
  const { body } = await eventually(async () => {
    const answer = await send();
    if (answer.status !== 200) throw new Error(answer.text);
    return answer;
  });
  expect(body).toMatchObject({ Status: 'Pending', Amount: kobo(at) / 100 });
}

beforeAll(async () => {
  direct = openDatabase(database.url, 4, () => {});
  port = await ownPort();
  standIn = await startPayoutStandIn(plan, killAndStart);
  server = await start();
  const call = clientOf(server.url);
  partner = await remotePartner(call, { name: 'Acme', float: FLOAT });
  const { headers } = partner;
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  wallet = (await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json })).body.Reference;
  const credit = { amount: FLOAT, reference: 'opening' };
  await call('POST', `/v2/partner/wallet/${wallet}/credit`, { headers, json: credit });
});
afterAll(async () => {
  await restarted.catch(() => undefined);
  await server?.kill('SIGKILL');
  await standIn.close();
  await direct.close();
});

it(`pays each payout once, whoever dies between two steps of it (seed ${SEED})`, async () => {
  let next = 0;
  const client = async () => {
    while (next < PAYOUTS) await payOut(next++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const payouts = await eventually(async () => {
    const { rows } = await direct.pool.query<{ reference: string; state: string; amount: string }>(
      'select provider_reference as reference, state, amount from payouts.payout',
    );
    expect(rows.filter(({ state }) => ['PENDING', 'SENT', 'UNKNOWN'].includes(state))).toEqual([]);
    return rows;
  }, ASK_AGAIN);
  expect(payouts).toHaveLength(PAYOUTS);

  const lines = standIn.read();
  for (const at of ['recipient', 'transfer', 'verify'] as const) {
    const visits = lines.filter((line) => line.do === 'visit' && line.at === at);
    expect(visits.length).toBeGreaterThanOrEqual(plan[at].length);
  }
  expect([kills, standIn.deaths]).toEqual([planned('kills'), planned('dies')]);
  const transfers = lines.filter((line) => line.do === 'transfer');
  const asked = transfers.filter(({ status }) => status !== 'reversed').map(({ reference }) => reference);
  expect(new Set(asked).size).toBe(asked.length);

  const there = new Map(transfers.map(({ reference, status, amount }) => [reference, { status, amount }]));
  const states = { success: 'SUCCESSFUL', reversed: 'REVERSED', failed: 'FAILED' };
  for (const { reference, state, amount } of payouts) {
    const { status = 'failed', amount: paid = Number(amount) } = there.get(reference) ?? {};
    expect({ reference, state, amount: Number(amount) }).toEqual({ reference, state: states[status], amount: paid });
  }

  const paid = [...there.values()].filter(({ status }) => status === 'success');
  const total = paid.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const { rows } = await direct.pool.query(
    `select (select sum(e.amount) from ledger.entry e join ledger.account a on a.id = e.account_id
              where a.kind = 'CLEARING_PAYOUT') as clearing,
            (select sum(posted) from ledger.account where kind = 'WALLET') as wallet,
            (select sum(suspended) from ledger.account) as held,
            (select count(*) from outbox.event where event = 'wallet.debited')::int as debited`,
  );
  const left = BigInt(FLOAT) * 100n - total - FEE * BigInt(paid.length);
  const debited = payouts.filter(({ state }) => state !== 'FAILED').length;
  expect(rows).toEqual([{ clearing: String(total), wallet: String(left), held: '0', debited }]);
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const check = await clientOf(server?.url ?? '')('GET', '/operator/v1/ledger/check', { headers });
  expect(check).toMatchObject({ body: { ok: true } });
});
