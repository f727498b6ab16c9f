import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { type TestPartner, useApp } from '../support/app.ts';
import { copyCluster, newDatabaseFolder } from '../support/database.ts';
import { eventually, eventuallyTrue } from '../support/eventually.ts';
import { type Standby, startStandby } from '../support/standby.ts';
import { newSide, newTag } from '../support/switch.ts';
import { kycWallet, type LoggedIn, loggedIn } from '../support/wallets.ts';
import { killPostgres } from './kill-postgres.ts';

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
let owner: Client;
beforeAll(async () => {
  const root = await newRoot();
  await copyCluster(root, 'migrated');
  postgres = await startEmbedded(root, { fsync: 'off' });
  standby = await startStandby(root, postgres.url('postgres'), await newRoot());
  [owner, replica] = await Promise.all([connected(postgres.url('postgres')), connected(standby.url)]);
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
  await Promise.allSettled([owner.end(), replica.end()]);
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
});

describe('look-ups of tags, with DATABASE_READ_URL', () => {
  const STALE_MAX_MS = 1_000;
  const lookUp = (tag: string) => server.call('GET', `/api/v1/tags/${tag}`);
  const statusOf = async (tag: string): Promise<string> =>
    (await lookUp(tag)).json<{ data: { status: string } }>().data.status;
  /** As another process does it. */
  const setStatus = (tag: string, status: string) =>
    owner.query('update tags.tag set status = $2 where handle = $1', [tag, status]);
  const isReplayed = async () => {
    const { rows } = await owner.query<{ at: string }>('select pg_current_wal_flush_lsn()::text as at');
    const replayed = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has';
    expect((await replica.query(replayed, [rows[0]?.at])).rows).toEqual([{ has: true }]);
  };
  /** The standby stops where it is just after a look-up has found that it has everything. */
  async function stopAfterLookUp(tag: string): Promise<void> {
    await replica.query('select pg_wal_replay_resume()');
    await eventually(isReplayed);
    await replica.query('select pg_wal_replay_pause()');
    expect(await statusOf(tag)).toBe('ACTIVE');
  }
  afterEach(() => replica.query('select pg_wal_replay_resume()'));

  it('are read from the standby, and a tag that is not there yet from the primary', async () => {
    const side = await newSide(server);
    await eventually(async () => {
      expect(await statusOf(side.tag)).toBe('ACTIVE');
      expect(await readThere('from tags.tag')).toBeGreaterThan(0);
    });
    await stopAfterLookUp(side.tag);
    expect(await statusOf(await newTag(server, side))).toBe('ACTIVE');
  });

  it('show what the standby has for a second at most, and then what the primary has', async () => {
    const { tag } = await newSide(server);
    let changedAt = 0;
    await eventually(async () => {
      await setStatus(tag, 'ACTIVE');
      await stopAfterLookUp(tag);
      await setStatus(tag, 'SUSPENDED');
      changedAt = performance.now();
      expect(await statusOf(tag)).toBe('ACTIVE'); // the standby does not know yet: it was read there
    });
    let newestOld = changedAt;
    await eventuallyTrue(
      async () => {
        const askedAt = performance.now();
        const isOld = (await statusOf(tag)) === 'ACTIVE';
        if (isOld) newestOld = askedAt;
        return !isOld;
      },
      { intervalMs: 5 },
    );
    expect(newestOld - changedAt).toBeLessThan(STALE_MAX_MS);
    expect((await replica.query('select pg_is_wal_replay_paused() as is')).rows).toEqual([{ is: true }]);
    await replica.query('select pg_wal_replay_resume()');
    await eventually(async () => {
      expect(await statusOf(tag)).toBe('SUSPENDED');
      expect(await readThere('from tags.tag')).toBeGreaterThan(0);
    });
  });
});

describe('lists, when the standby goes', () => {
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
