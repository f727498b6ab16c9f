import { Client } from 'pg';
import { expect, it } from 'vitest';
import { stampInstallation } from '#modules/installation';
import { sealDue, verifySeals } from '#modules/seals';
import { createDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { change, ROOT, withSealer } from './sealed-books.ts';

/** After this, requests do not wait for the answer to a statement any more. */
const REQUESTS_MS = 300;
const LIMITS = { answerTimeoutMs: REQUESTS_MS, statementTimeoutMs: REQUESTS_MS };

const LOCK = 20_261_122;

/** An installation of which an hour is to be sealed. Its digests are not computed while somebody has the lock. */
async function withDueHour(): Promise<string> {
  const url = await createDatabase();
  await withSealer(url, ({ db }) => stampInstallation(db, 'sandbox', ROOT));
  await change(
    url,
    `update installation.stamp set created_at = now() - interval '1 hour 6 minutes'`,
    'alter function seals.contents rename to contents_of_a_quiet_hour',
    `create function seals.contents(p_starts timestamptz, p_ends timestamptz)
      returns table (name text, rows bigint, digest bytea) language plpgsql as $$
      begin
        while not pg_try_advisory_xact_lock_shared(${LOCK}) loop
          perform pg_sleep(0.02);
        end loop;
        return query select * from seals.contents_of_a_quiet_hour(p_starts, p_ends);
      end $$`,
  );
  return url;
}

/** Runs `work` while digests take as long as it lets them. */
async function withSlowDigests<T>(url: string, work: (watcher: Client) => Promise<T>): Promise<T> {
  const watcher = new Client({ connectionString: url });
  await watcher.connect();
  try {
    await watcher.query(`select pg_advisory_lock(${LOCK})`);
    return await work(watcher);
  } finally {
    await watcher.end();
  }
}

/** For how many milliseconds digests have been computed by now, of everybody who does so. */
async function digesting(watcher: Client): Promise<number[]> {
  const { rows } = await watcher.query<{ ms: string }>(
    `select extract(epoch from clock_timestamp() - query_start) * 1000 as ms from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query ~ 'seals[.]contents'`,
  );
  return rows.map(({ ms }) => Number(ms));
}

/** Lets the digests go on once a request would have been given up three times over. */
async function letGoOnLate(watcher: Client): Promise<void> {
  await eventually(async () => expect(Math.max(...(await digesting(watcher)))).toBeGreaterThan(REQUESTS_MS * 3));
  await watcher.query(`select pg_advisory_unlock(${LOCK})`);
}

it('an hour whose digests take longer than any request may is sealed and verified', async () => {
  const url = await withDueHour();
  await withSealer(
    url,
    async (sealer) => {
      const [made] = await withSlowDigests(url, (watcher) => Promise.all([sealDue(sealer, 1), letGoOnLate(watcher)]));
      expect(made).toHaveLength(1);
      const [verdict] = await withSlowDigests(url, (watcher) =>
        Promise.all([
          verifySeals(
            sealer,
            made.map(({ seal }) => seal),
          ),
          letGoOnLate(watcher),
        ]),
      );
      expect(verdict).toMatchObject({ ok: true, found: 1, findings: [] });
    },
    LIMITS,
  );
});

it('a worker that is to end gives up the hour it is sealing, and leaves nothing running in the database', async () => {
  const url = await withDueHour();
  await withSealer(url, async (sealer) => {
    const closing = new AbortController();
    await withSlowDigests(url, async (watcher) => {
      const sealing = sealDue(sealer, 1, closing.signal);
      await eventually(async () => expect(await digesting(watcher)).toHaveLength(1));
      closing.abort();
      expect(await sealing).toEqual([]);
      await eventually(async () => expect(await digesting(watcher)).toEqual([]));
    });
    expect(await sealDue(sealer, 1), 'the next makes up for it').toHaveLength(1);
  });
});
