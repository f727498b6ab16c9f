import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../../src/migrate.ts';
import { startApp } from '../support/app.ts';
import { clientOf, remotePartner } from '../support/client.ts';
import { asServer } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv, startServer } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { databaseOf, keptSchemas, previousServer, previousServers } from '../support/released.ts';
import { type ServedHere, serveHere } from '../support/served.ts';

const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

/** A database with an older schema, and the demo, once it is brought up to date; and what its accounts held before. */
const upgraded = new Map<string, Promise<{ ownerUrl: string; before: unknown[] }>>();
const upgrade = async (schema: string) => {
  const ownerUrl = await databaseOf(schema);
  const before = await balances(ownerUrl);
  await migrateDatabase(ownerUrl);
  return { ownerUrl, before };
};
const upgradedFrom = (schema: string) => {
  const known = upgraded.get(schema) ?? upgrade(schema);
  upgraded.set(schema, known);
  return known;
};

/** What every account holds. */
async function balances(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'select id, kind, currency, posted, suspended from ledger.account where posted <> 0 order by id',
  );
  await client.end();
  return rows;
}

describe('a database with an older schema that is kept, and the demo', async () => {
  it.each(await keptSchemas())('%s is brought up to date: its books are in order and as they were', async (schema) => {
    const { ownerUrl, before } = await upgradedFrom(schema);
    expect(before.length).toBeGreaterThan(2);
    const app = await startApp(asServer(ownerUrl));
    ends.push(() => app.close());
    expect(await balances(ownerUrl)).toEqual(before);
    const { ok, checks } = (await app.operate('GET', '/ledger/check')).json();
    expect(checks.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
    expect(ok).toBe(true);
    const { items } = (await app.operate('GET', '/deliveries')).json();
    expect(items.length).toBeGreaterThan(0);
    const customer = await app.call('GET', '/api/v1/tags/ada');
    expect(customer.statusCode).toBe(200);
  });
});

// None is kept from before a migration that no server from before works with.
it.each(await previousServers())(
  'the server of the release before works on the schema of this one: %s',
  async (schema) => {
    const { folder, program } = await previousServer(schema);
    ends.push(() => rm(folder, { recursive: true }));
    const { ownerUrl } = await upgradedFrom(schema);
    const receiver = await startReceiver();
    ends.push(() => receiver.close());
    const env = serverEnv(asServer(ownerUrl));
    const servers: ServedHere[] = [await startServer(env, { program }), await serveHere(env)];
    ends.push(() => Promise.all(servers.map((server) => server.stop())));
    const [old, current] = servers.map(({ url }) => clientOf(url));
    if (old === undefined || current === undefined) throw new Error('there are two servers');

    const { id, headers } = await remotePartner(old, { name: 'Shop', float: 1_000, webhookUrl: receiver.url });
    const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    const made = await current<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json });
    const wallet = `/v2/partner/wallet/${made.body.Reference}`;
    for (const [at, [call, other]] of [[old, current] as const, [current, old] as const].entries()) {
      const credit = {
        headers: { ...headers, 'idempotency-key': `credit-${at}` },
        json: { amount: 10, reference: `c${at}` },
      };
      const first = await call('POST', `${wallet}/credit`, credit);
      expect([first.status, first.body]).toEqual([200, expect.objectContaining({ Status: 'Successful' })]);
      const again = await other('POST', `${wallet}/credit`, credit);
      expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', first.text]);
      const debit = { headers, json: { amount: 1, reference: `d${at}` } };
      expect((await other('POST', `${wallet}/debit`, debit)).status).toBe(200);
      expect((await call('GET', wallet, { headers })).body).toMatchObject({ Wallet: { TotalAmount: (at + 1) * 9 } });
    }
    await eventually(async () => {
      const { body } = await old<{ count: number }>('GET', `/operator/v1/deliveries?partnerId=${id}&status=DELIVERED`, {
        headers: operator,
      });
      expect(body.count).toBe(4);
    });
    expect(receiver.requests).toHaveLength(4);
    for (const call of [old, current]) {
      expect((await call('GET', '/operator/v1/ledger/check', { headers: operator })).body).toMatchObject({ ok: true });
    }
  },
);
