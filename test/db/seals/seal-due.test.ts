import { compactVerify, createLocalJWKSet, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { jwks, stampInstallation } from '#modules/keys';
import { listSeals, sealDue, sealedUntil, verifySeals } from '#modules/proof';
import { asOwner, createDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { change, openSealer, ROOT, verify, withSealer } from './sealed-books.ts';

const HOUR_MS = 3_600_000;

/** A new installation, that was made so many whole hours ago, and a little. */
async function installedAgo(hours: number): Promise<string> {
  const url = await createDatabase();
  await withSealer(url, (sealer) => stampInstallation(sealer.db, 'sandbox', ROOT));
  await change(url, `update installation.stamp set created_at = now() - interval '${hours} hours 6 minutes'`);
  return url;
}

it('every hour since the installation is sealed, the empty ones too, and every day in Lagos after its last hour', async () => {
  const url = await installedAgo(50);
  await withSealer(url, async (sealer) => {
    await sealDue(sealer);
    const { items } = await listSeals(sealer.db, { limit: 100, offset: 0 });
    const hours = items.toReversed().filter(({ period }) => period === 'HOUR');
    const days = items.toReversed().filter(({ period }) => period === 'DAY');
    expect(hours.map(({ startsAt }) => startsAt)).toEqual([null, ...hours.slice(0, -1).map(({ endsAt }) => endsAt)]);
    for (const { endsAt } of hours) expect(endsAt).toMatch(/T\d\d:00:00\.000Z$/);
    const last = Date.parse(hours.at(-1)?.endsAt ?? '');
    expect(sealer.clock.now().getTime() - last).toBeLessThan(HOUR_MS + 6 * 60_000);
    expect(days.length).toBeGreaterThanOrEqual(2);
    for (const day of days) expect(day.endsAt).toMatch(/T23:00:00\.000Z$/);
    expect(await sealedUntil(sealer.db)).toEqual({ number: items[0]?.number, endsAt: new Date(last) });
    expect(await sealDue(sealer)).toEqual([]);
  });
});

it('what was missed while no worker ran is made up, and each seal is logged as it is listed', async () => {
  const url = await installedAgo(5);
  const first = await withSealer(url, (sealer) => sealDue(sealer, 2));
  const [rest, lines] = await withSealer(url, async (sealer) => [await sealDue(sealer), sealer.lines] as const);
  expect([...first, ...rest].map(({ number }) => number)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].slice(0, first.length + rest.length),
  );
  expect(lines.map((line) => JSON.parse(line))).toEqual(rest.map((seal) => expect.objectContaining(seal)));
  expect(
    (
      await verify(
        url,
        [...first, ...rest].map(({ seal }) => seal),
      )
    ).ok,
  ).toBe(true);
});

it('two workers at once make one chain, without a seal twice', async () => {
  const url = await installedAgo(20);
  const workers = [openSealer(url), openSealer(url), openSealer(url)];
  const made = await Promise.all(workers.map((worker) => sealDue(worker)));
  await Promise.all(workers.map((worker) => worker.close()));
  await withSealer(url, (sealer) => sealDue(sealer));
  const numbers = made.flat().map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(
    await verify(
      url,
      made.flat().map(({ seal }) => seal),
    ),
  ).toMatchObject({ ok: true, findings: [] });
});

it('an hour is sealed when no transaction can write into it any more, and not before', async () => {
  const url = await installedAgo(0);
  const writer = new Client({ connectionString: url });
  await writer.connect();
  try {
    await withSealer(url, async (sealer) => {
      await writer.query('begin');
      await change(url, `update installation.stamp set created_at = now() + interval '1 hour'`);
      expect(await sealDue(sealer), 'an hour that has not ended').toEqual([]);
      const ended = async () => {
        const { rows } = await writer.query('select ledger.has_ended(now()) as own, clock_timestamp() as later');
        expect(rows[0].own, 'a transaction does not wait for itself').toBe(true);
        const { rows: others } = await sealer.pool.query('select ledger.has_ended($1) as ended', [rows[0].later]);
        return others[0].ended as boolean;
      };
      expect(await ended()).toBe(false);
      await writer.query('commit');
      expect(await ended()).toBe(true);
    });
  } finally {
    await writer.end();
  }
});

it('anybody can verify a seal by the published keys, and by the key it carries once that is published no more', async () => {
  const url = await installedAgo(1);
  await withSealer(url, async (sealer) => {
    const [one] = await sealDue(sealer);
    const published = createLocalJWKSet({ keys: [...(await jwks(sealer)).keys] });
    const { payload } = await compactVerify(one?.seal ?? '', published);
    expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({
      number: 1,
      period: 'HOUR',
      previous: null,
      contents: { entries: { rows: 0 }, audit: { rows: 0 } },
    });
    const { jwk, typ } = decodeProtectedHeader(one?.seal ?? '');
    expect(typ).toBe('paytag-seal+jws');
    expect(jwk).not.toHaveProperty('d');
    await expect(compactVerify(one?.seal ?? '', await importJWK(jwk as JWK, 'ES256'))).resolves.toBeDefined();
  });
});

it('a seal is never changed or deleted, not even by the owner of the database', async () => {
  const url = await installedAgo(1);
  await withSealer(url, (sealer) => sealDue(sealer));
  const owner = new Client({ connectionString: asOwner(url) });
  await owner.connect();
  try {
    for (const statement of ['update seals.seal set number = 9', 'delete from seals.seal', 'truncate seals.seal']) {
      await expect(owner.query(statement)).rejects.toThrow('never changed or deleted');
    }
  } finally {
    await owner.end();
  }
});

/** After this, requests do not wait for the answer to a statement any more. */
const REQUESTS_MS = 1_000;
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

/** Lets the digests go on once a request would have been given up long ago. */
async function letGoOnLate(watcher: Client): Promise<void> {
  await eventually(async () => expect(Math.max(...(await digesting(watcher)))).toBeGreaterThan(REQUESTS_MS * 2));
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
