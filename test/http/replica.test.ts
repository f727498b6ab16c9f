import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { killPostgres } from '../faults/kill-postgres.ts';
import { type TestPartner, useApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { copyCluster } from '../support/made-cluster.ts';
import { newDatabaseFolder } from '../support/memory.ts';
import { type Standby, startStandby } from '../support/standby.ts';
import { newSide, newTag } from '../support/switch.ts';
import { kycWallet, type LoggedIn, loggedIn } from '../support/wallets.ts';

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const roots: string[] = [];
const newRoot = async () => {
  const root = await newDatabaseFolder('paytag-test-replica-');
  roots.push(root);
  return root;
};
let postgres: Embedded;
let standby: Standby;
let replica: Client;
beforeAll(async () => {
  const root = await newRoot();
  await copyCluster(root, 'migrated');
  postgres = await startEmbedded(root, { fsync: 'off' });
  standby = await startStandby(root, postgres.url('postgres'), await newRoot());
  replica = await connected(standby.url);
});
const primary = {
  get url() {
    return postgres.url('postgres');
  },
};
const server = useApp(() => ({ DATABASE_READ_URL: standby.url }), primary);
let partner: TestPartner;
let customer: LoggedIn;
beforeAll(async () => {
  partner = await server.newPartner();
});
afterAll(async () => {
  await replica.end().catch(() => undefined);
  await standby.stop();
  await postgres.stop();
  await Promise.all(roots.map((root) => rm(root, { recursive: true })));
});

/** The newest wallet that the list shows. */
async function newest(): Promise<string | undefined> {
  const listed = await server.call('GET', '/v2/partner/wallet?limit=1', { headers: partner.headers });
  expect(listed.statusCode).toBe(200);
  return listed.json<{ items: { Reference: string }[] }>().items[0]?.Reference;
}
/** How often the log says that the standby could not be read from. */
const timesFailed = (): number => server.logged.split('reading from the replica (DATABASE_READ_URL) fails').length - 1;
/** What the standby has read for the server that names this table. */
async function readThere(table: string): Promise<number> {
  const { rows } = await replica.query<{ connections: number }>(
    `select count(*)::int as connections from pg_stat_activity
      where application_name = 'paytag-replica-reads' and position($1 in query) > 0`,
    [table],
  );
  return rows[0]?.connections ?? 0;
}

/** What was credited, by a statement in CSV that is asked for now. */
async function statement(headers: Record<string, string>): Promise<string[]> {
  const asked = await server.call('POST', '/v2/sso/transaction/statement?format=csv', { headers });
  const answer = await server.call('GET', new URL(asked.json<{ url: string }>().url).pathname);
  expect(answer.statusCode).toBe(200);
  return answer.body.split('\r\n').filter((line) => line.includes(',Credit from '));
}

describe('lists, with DATABASE_READ_URL', () => {
  it('are read from the standby, and show what was made a moment before', async () => {
    for (let made = 0; made < 20; made++) {
      const wallet = await kycWallet(server, partner);
      expect(await newest()).toBe(wallet);
    }
    await eventually(async () => {
      await newest();
      expect(await readThere('partner_wallet')).toBeGreaterThan(0);
    });
  });

  it('and statements are read there, and show what moved the wallet a moment before', async () => {
    customer = await loggedIn(server, await server.newPartner({ float: 100 }), 50);
    await eventually(async () => {
      expect(await statement(customer.headers)).toEqual([expect.stringContaining('50.00')]);
      expect(await readThere('"payments"."payment"')).toBeGreaterThan(0);
    });
  });

  it('that take too long on the standby are refused as on the primary, which is not asked too', async () => {
    const [locker, other] = await Promise.all([connected(primary.url), connected(primary.url)]);
    try {
      await locker.query('begin; lock table wallets.partner_wallet in access exclusive mode');
      await other.query(`select pg_logical_emit_message(true, '', '')`); // a commit, with which the lock goes there
      const locked = `select from pg_locks where relation = 'wallets.partner_wallet'::regclass and mode = 'AccessExclusiveLock'`;
      await eventually(async () => expect((await replica.query(locked)).rowCount).toBe(1));
      const failures = timesFailed();
      const answering = server.call('GET', '/v2/partner/wallet?limit=1', { headers: partner.headers });
      await eventually(async () => {
        const cancelled = await replica.query(
          `select from pg_stat_activity, pg_cancel_backend(pid)
            where application_name = 'paytag-replica-reads' and wait_event_type = 'Lock'`,
        );
        expect(cancelled.rowCount).toBe(1);
      });
      const answer = await answering;
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ errorCode: 'BUSY' });
      expect(timesFailed()).toBe(failures);
    } finally {
      await Promise.all([locker.end(), other.end()]);
    }
    expect(await newest()).toBeDefined();
  });

  it('are read from the primary while the standby is behind, and so show what was made as well', async () => {
    await replica.query('select pg_wal_replay_pause()');
    const wallet = await kycWallet(server, partner);
    expect(await newest()).toBe(wallet);
    expect(await statement(customer.headers)).toHaveLength(1);
    const side = await newSide(server);
    const tag = await newTag(server, side);
    expect((await server.call('GET', `/api/v1/tags/${tag}`)).statusCode).toBe(200);
    expect(server.logged).toContain('reading from the replica (DATABASE_READ_URL) fails');
    await replica.query('select pg_wal_replay_resume()');
    await eventually(async () => {
      await newest();
      expect(server.logged).toContain('reading from the replica (DATABASE_READ_URL) works again');
    });
  });

  it('fail for nobody when the standby is killed while many are read', async () => {
    let asked = 0;
    let isKilled = false;
    const readers = Array.from({ length: 8 }, async () => {
      for (let after = 0; after < 20; after += Number(isKilled)) {
        expect(await newest()).toBeDefined();
        asked += 1;
      }
    });
    await eventually(() => expect(asked).toBeGreaterThan(50));
    await killPostgres(roots[1] ?? '');
    isKilled = true;
    await Promise.all(readers);
    expect(await newest()).toBeDefined();
    expect(await statement(customer.headers)).toHaveLength(1);
  });
});
