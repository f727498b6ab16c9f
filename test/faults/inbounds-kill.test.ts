import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { repetitions } from '../support/cases.ts';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { chargeMessage } from '../support/inbound.ts';
import { paystackAccounts } from '../support/paystack-accounts.ts';
import { PAYSTACK_KEY, signatureOf } from '../support/paystack-hooks.ts';
import { OPERATOR_TOKEN, ownPort, type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { useReceiver } from '../support/receiver.ts';
import { openLocker } from '../support/row-locks.ts';

const ROUNDS = repetitions({ short: 1, soak: 25 });
const EACH_ROUND = repetitions({ short: 80, soak: 160 });
const CLIENTS = 8;
const WALLETS = 3;

const provider = useReceiver();
const database = useDatabase();
const processes: Partial<Record<'api' | 'worker', ServerProcess>> = {};
const numbers: string[] = [];
/** What was answered 200, and how often. */
const acknowledged = new Map<string, number>();
let direct: DatabaseHandle;
let port: number;
let kills = 0;

async function start(role: 'api' | 'worker'): Promise<ServerProcess> {
  const env = {
    ...serverEnv(database.url),
    ROLE: role,
    INBOUND_PROVIDER: 'paystack',
    INBOUND_PAYSTACK_URL: new URL(provider.url).origin,
    INBOUND_PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
  };
  const started = await startServer(env, role === 'api' ? { port } : {});
  processes[role] = started;
  return started;
}

async function killAndStart(role: 'api' | 'worker'): Promise<void> {
  kills += 1;
  expect(await processes[role]?.kill('SIGKILL')).toBeNull();
  await start(role);
}

/** The time is over for which nobody else takes what a dead worker had begun. */
const endLeases = () => direct.pool.query(`update inbox.message set due_at = now() where state = 'RECEIVED'`);

const referenceOf = (at: number): string => `incoming-${at}`;
const amountOf = (at: number): number => 10_000 + at;
/** Every 20th is to a number of nobody, and another in dollars: both are shown, and change nothing. */
const differenceOf = (at: number): string | null => ({ 7: 'ACCOUNT_UNKNOWN', 13: 'CURRENCY_DIFFERS' })[at % 20] ?? null;

/** Tells of a payment until it is answered, as a provider does; of every fourth again, of some in other bytes. */
async function tellOf(at: number): Promise<void> {
  const body = chargeMessage({
    reference: referenceOf(at),
    amount: amountOf(at),
    currency: differenceOf(at) === 'CURRENCY_DIFFERS' ? 'USD' : 'NGN',
    accountNumber: differenceOf(at) === 'ACCOUNT_UNKNOWN' ? '9911111111' : (numbers[at % WALLETS] ?? ''),
  });
  const tellings = at % 4 === 0 ? [body, body, `${body} `] : [body];
  for (const said of tellings) {
    await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/hooks/paystack`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-paystack-signature': signatureOf(said) },
        body: said,
      });
      if (answer.status !== 200) throw new Error(await answer.text());
    });
    acknowledged.set(referenceOf(at), (acknowledged.get(referenceOf(at)) ?? 0) + 1);
  }
}

async function bookedNow(): Promise<number> {
  const { rows } = await direct.pool.query(`select count(*)::int as n from inbox.message where state = 'BOOKED'`);
  return Number(rows[0]?.n);
}

beforeAll(async () => {
  paystackAccounts(provider);
  direct = openDatabase(database.url, 4, () => {});
  port = await ownPort();
  const [api] = [await start('api'), await start('worker')];
  const call = clientOf(api.url);
  const { headers } = await remotePartner(call, { name: 'Acme' });
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  while (numbers.length < WALLETS) {
    const { Reference } = (await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json })).body;
    const path = `/v2/partner/wallet/${Reference}/account`;
    numbers.push((await call<{ AccountNumber: string }>('POST', path, { headers })).body.AccountNumber);
  }
});
afterAll(async () => {
  await Promise.all(Object.values(processes).map((each) => each.kill('SIGKILL')));
  await direct.close();
});

/** Kills the server while it stores, and the worker while it books: held in the middle of it, and at any moment. */
async function round(from: number): Promise<void> {
  const { rows: accounts } = await direct.pool.query(`select id from ledger.account where kind = 'WALLET'`);
  const locker = await openLocker(direct.pool);
  await locker.lock(
    'ledger.account',
    accounts.map(({ id }) => Number(id)),
  );
  let next = from;
  const client = async () => {
    while (next < from + EACH_ROUND) await tellOf(next++);
  };
  const load = Promise.all(Array.from({ length: CLIENTS }, client));
  const enough = acknowledged.size + randomInt(20, EACH_ROUND / 2);
  await eventuallyTrue(() => acknowledged.size > enough, { intervalMs: 1 });
  await killAndStart('api');
  await locker.waitedFor();
  await killAndStart('worker');
  await locker.release();

  const some = (await bookedNow()) + randomInt(1, EACH_ROUND / 2);
  await endLeases();
  await eventuallyTrue(async () => (await bookedNow()) > some, { intervalMs: 1 });
  await killAndStart('worker');
  await load;
}

it('books each payment once that it was told of, whoever dies while it is stored and while it is booked', async () => {
  for (let at = 0; at < ROUNDS; at++) await round(at * EACH_ROUND);
  const all = Array.from({ length: ROUNDS * EACH_ROUND }, (_, at) => at);
  expect(kills).toBe(3 * ROUNDS);
  expect(acknowledged.size).toBe(all.length);
  await endLeases();
  await eventually(async () => {
    const { rows } = await direct.pool.query(`select id from inbox.message where state = 'RECEIVED'`);
    expect(rows).toEqual([]);
  });

  const { rows: messages } = await direct.pool.query(
    `select reference, array_agg(distinct state) as states, min(difference) as difference, count(*)::int as told,
            count(distinct transaction_id)::int as booked
       from inbox.message group by reference`,
  );
  const found = new Map(messages.map(({ reference, ...rest }) => [reference, rest]));
  expect(found.size).toBe(all.length);
  for (const at of all) {
    const difference = differenceOf(at);
    const isBooked = difference === null;
    const states = [isBooked ? 'BOOKED' : 'DIFFERENT'];
    const told = at % 4 === 0 ? 2 : 1; // the same bytes are stored once
    expect(found.get(referenceOf(at))).toEqual({ states, difference, told, booked: isBooked ? 1 : 0 });
  }

  const theirs = all.filter((at) => differenceOf(at) === null);
  const { rows: postings } = await direct.pool.query(
    `select external_reference as reference, amount::int, status from ledger.transaction where type = 'INBOUND' order by amount`,
  );
  expect(postings).toEqual(
    theirs.map((at) => ({ reference: referenceOf(at), amount: amountOf(at), status: 'Successful' })),
  );
  const total = theirs.reduce((sum, at) => sum + amountOf(at), 0);
  const { rows } = await direct.pool.query(
    `select (select -sum(e.amount)::int from ledger.entry e join ledger.account a on a.id = e.account_id
              where a.kind = 'CLEARING_COLLECTION') as collected,
            (select sum(posted)::int from ledger.account where kind = 'WALLET') as wallets,
            (select count(*)::int from outbox.event where event = 'wallet.credited') as credited`,
  );
  expect(rows).toEqual([{ collected: total, wallets: total, credited: theirs.length }]);
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const check = await clientOf(`http://127.0.0.1:${port}`)('GET', '/operator/v1/ledger/check', { headers });
  expect(check).toMatchObject({ body: { ok: true } });
});
