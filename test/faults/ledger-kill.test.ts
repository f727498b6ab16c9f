import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { repetitions } from '../support/cases.ts';
import { clientOf, remotePartner } from '../support/client.ts';
import { useDatabase } from '../support/database.ts';
import { eventuallyTrue } from '../support/eventually.ts';
import { OPERATOR_TOKEN, type ServerProcess, serverEnv, startServer } from '../support/process.ts';
import { openLocker } from '../support/row-locks.ts';
import { openAckLog } from './ack-log.ts';

const CLIENTS = 12;
const WALLETS = 4;
const ROUNDS = repetitions({ short: 1, soak: 20 });
/** Naira. Credits are of up to 60, so that towards the end some are refused. */
const FLOAT = 1_000;

interface Credit {
  wallet: string;
  amount: number;
}
interface Answer {
  status: number;
  body: Record<string, unknown>;
}

const database = useDatabase();
const acks = openAckLog<Answer>();
const sent = new Map<string, Credit>();
const servers: ServerProcess[] = [];
let direct: DatabaseHandle;
let partner: Awaited<ReturnType<typeof remotePartner>>;
const wallets: string[] = [];

async function start(): Promise<ServerProcess> {
  const server = await startServer({ ...serverEnv(database.url), ROLE: 'api' });
  servers.push(server);
  return server;
}

async function send(server: ServerProcess, reference: string, { wallet, amount }: Credit): Promise<Answer> {
  const json = { amount, reference, comment: `for ${reference}` };
  const path = `/v2/partner/wallet/${wallet}/credit`;
  const { status, body } = await clientOf(server.url)('POST', path, { headers: partner.headers, json });
  const { timestamp: _timestamp, requestId: _requestId, ...same } = body;
  return { status, body: same };
}

/** Credits, new ones and now and then an old one again, until the server is gone. */
async function load(server: ServerProcess): Promise<void> {
  for (;;) {
    const old = [...sent.keys()];
    const again = old.length > 0 && randomInt(100) < 30;
    const reference = again ? (old[randomInt(old.length)] ?? '') : `credit-${sent.size}`;
    const credit = sent.get(reference) ?? {
      wallet: wallets[randomInt(WALLETS)] ?? '',
      amount: randomInt(1, 6_001) / 100,
    };
    sent.set(reference, credit);
    try {
      acks.write(reference, await send(server, reference, credit));
    } catch {
      return;
    }
  }
}

beforeAll(async () => {
  direct = openDatabase(database.url, 4, () => {});
  const server = await start();
  const call = clientOf(server.url);
  partner = await remotePartner(call, { name: 'Acme', float: FLOAT });
  const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
  while (wallets.length < WALLETS) {
    const made = await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers: partner.headers, json });
    wallets.push(made.body.Reference);
  }
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  await direct.close();
  acks.remove();
});

describe('a server killed with -9 under load', () => {
  it('at any moment: before, during or after the posting call', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = servers.at(-1) ?? (await start());
      const before = acks.count;
      const clients = Promise.all(Array.from({ length: CLIENTS }, () => load(server)));
      const enough = before + randomInt(80, 140);
      await eventuallyTrue(() => acks.count > enough, { intervalMs: 1 });
      expect(await server.kill('SIGKILL')).toBeNull();
      await clients;
      await start();
    }
  });

  it('while its postings are in the database and wait for a lock', async () => {
    const server = servers.at(-1) ?? (await start());
    const { rows } = await direct.pool.query(`select id from ledger.account where kind = 'FLOAT' and partner_id = $1`, [
      partner.id,
    ]);
    const locker = await openLocker(direct.pool);
    await locker.lock(
      'ledger.account',
      rows.map(({ id }) => Number(id)),
    );
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => load(server)));
    await locker.waitedFor();
    expect(await server.kill('SIGKILL')).toBeNull();
    await clients;
    await locker.release();
    await start();
  });

  it('has lost nothing that it acknowledged, and posted nothing twice', async () => {
    const acknowledged = acks.read();
    const answers = new Map<string, Answer>();
    for (const { reference, answer } of acknowledged) {
      expect([200, 422]).toContain(answer.status);
      expect(answer).toEqual(answers.get(reference) ?? answer);
      answers.set(reference, answer);
    }
    expect(answers.size).toBeGreaterThan(50);
    expect(sent.size).toBeGreaterThan(answers.size);
    expect(new Set([...answers.values()].map(({ status }) => status))).toEqual(new Set([200, 422]));

    const { rows } = await direct.pool.query(
      `select reference, code is null as posted from ledger.transaction where reference = any ($1)`,
      [[...answers.keys()]],
    );
    expect(Object.fromEntries(rows.map(({ reference, posted }) => [reference, posted ? 200 : 422]))).toEqual(
      Object.fromEntries([...answers].map(([reference, { status }]) => [reference, status])),
    );

    const server = servers.at(-1) ?? (await start());
    let credited = 0;
    for (const [reference, credit] of sent) {
      const answer = await send(server, reference, credit);
      expect(answer).toEqual(answers.get(reference) ?? answer);
      if (answer.status === 200) credited += Math.round(credit.amount * 100);
    }
    const { rows: balances } = await direct.pool.query(
      `select kind, sum(posted) as sum from ledger.account where kind in ('FLOAT', 'WALLET') group by 1 order by 1`,
    );
    expect(balances).toEqual([
      { kind: 'FLOAT', sum: String(FLOAT * 100 - credited) },
      { kind: 'WALLET', sum: String(credited) },
    ]);
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const check = await clientOf(server.url)('GET', '/operator/v1/ledger/check', { headers });
    expect(check).toMatchObject({ body: { ok: true } });
  });
});
