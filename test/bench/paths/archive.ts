import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { systemClock } from '#lib/clock.ts';
import { openDatabase } from '#lib/database.ts';
import { createLog } from '#lib/log.ts';
import { createLongWork } from '#lib/long-work.ts';
import { openKeyring } from '#modules/data-keys';
import { sealDue } from '#modules/seals';
import type { Embedded } from '../../../src/embedded/start-embedded.ts';
import { masterRootKey } from '../../../src/providers/kms/master-key.ts';
import { monthsAgo, moveBack, nameOf, openMonths } from '../../support/past-months.ts';
import { MASTER_KEY, runToEnd, serverEnv } from '../../support/process.ts';
import type { Row } from '../table.ts';
import { openWorld } from '../world/world.ts';
import { besideLoad, creditsOf } from './neighbours.ts';

/** Months that can be closed, one in each round: the latest is over for more than a year. */
const OLDEST = 18;
const LATEST = 14;
const MOVEMENTS = 100_000;

/** What credits take while months of a hundred thousand movements each are archived, as an operator does it. */
export async function* archive({ postgres, seconds }: { postgres: Embedded; seconds: number }): AsyncGenerator<Row> {
  const world = await openWorld(postgres, 'archive', addPast);
  const directory = await mkdtemp(join(tmpdir(), 'paytag-bench-archive-'));
  let next = OLDEST;
  const archiveNext = async () => {
    const args = ['--before', nameOf(monthsAgo(next)), '--to', directory, '--reason', 'bench', '--yes'];
    const env = { ...serverEnv(world.databaseUrl), DATABASE_OWNER_URL: world.databaseUrl };
    const { code, stderr } = await runToEnd(['src/cli/paytag.js', 'ledger', 'archive', ...args], env);
    if (code !== 0) throw new Error(stderr);
    next -= 1;
  };
  try {
    await sealPast(world.databaseUrl);
    await archiveNext(); // what was there before those months
    const requests = creditsOf([...world.partners]);
    const measured = await besideLoad(seconds, { world, requests }, archiveNext);
    const what = `POST credit beside an archive of ${MOVEMENTS} movements a month`;
    yield { what, ...measured, rssMb: await world.residentMb(), target: { atMost: 2 } };
  } finally {
    await rm(directory, { recursive: true });
    await world.close();
  }
}

/** Movements of every wallet through the months, after what was there before them. */
async function addPast(pool: Pool): Promise<void> {
  await openMonths(pool, OLDEST);
  await moveBack(pool, OLDEST + 1);
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      `
      create temp table movement as
        select (select max(id) from ledger.transaction) + i as id, w.id as account_id, w.partner_id,
            w.version + 1 + (i - 1) / w.all_of_them as version, w.posted + 100 * ((i - 1) / w.all_of_them) as opening,
            $1::timestamptz + (i - 1) * ($2::timestamptz - $1::timestamptz) / $3::int as at
          from generate_series(1, $3::int) i join (
            select *, row_number() over (order by id) - 1 as place, count(*) over () as all_of_them
              from ledger.account where kind = 'WALLET' and currency = 'NGN') w on w.place = (i - 1) % w.all_of_them`,
      [monthsAgo(OLDEST), monthsAgo(LATEST - 1), MOVEMENTS * (OLDEST - LATEST + 1)],
    );
    await client.query(`
      insert into ledger.transaction (id, owner_id, namer, reference, partner_id, type, status, request_hash, amount, currency,
          source_id, destination_id, created_at, completed_at, mac) overriding system value
        select id, partner_id, 'RAIL', 'past-' || id, partner_id, 'INBOUND', 'Successful', '\\x00', 100, 'NGN', 1, account_id, at, at, '\\x00'
          from movement order by id`);
    await client.query(`
      insert into ledger.entry (transaction_id, leg, account_id, amount, version, opening, closing, business_date, created_at)
        select id, leg, case leg when 1 then 1 else account_id end, case leg when 1 then -100 else 100 end,
            case leg when 2 then version end, case leg when 2 then opening end, case leg when 2 then opening + 100 end,
            (at at time zone 'Africa/Lagos')::date, at
          from movement, generate_series(1, 2) leg order by id, leg`);
    await client.query(`
      update ledger.account a set posted = a.posted + 100 * m.moves, version = a.version + m.moves
        from (select account_id, count(*) as moves from movement group by 1) m where m.account_id = a.id`);
    await client.query(
      'update ledger.account set posted = posted - 100 * (select count(*) from movement) where id = 1',
    );
    await client.query(
      `select setval(pg_get_serial_sequence('ledger.transaction', 'id'), (select max(id) from movement))`,
    );
  } finally {
    client.release(true);
  }
}

/** Adds up the days of those months and seals their hours, as a worker does. */
async function sealPast(databaseUrl: string): Promise<void> {
  const handle = openDatabase(databaseUrl, 2, () => {});
  const log = createLog('silent');
  const roots = [masterRootKey(Buffer.from(MASTER_KEY, 'hex'))] as const;
  const keys = await openKeyring({ db: handle.db, roots, log });
  const workLong = createLongWork(databaseUrl);
  const deps = { db: handle.db, workLong, keyring: keys.keyring, clock: systemClock, log };
  const until = monthsAgo(LATEST - 1);
  try {
    await handle.pool.query('update installation.stamp set created_at = $1', [monthsAgo(OLDEST + 1)]);
    let day: Date | null;
    do day = (await handle.pool.query('select books.add_up($1) as until', [until])).rows[0].until;
    while (day !== null);
    let sealed: Date;
    do {
      const made = await sealDue(deps);
      sealed = new Date(made.at(-1)?.endsAt ?? until);
    } while (sealed < until);
  } finally {
    await keys.close();
    await handle.close();
  }
}
