import type { Database } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { ClosedCounter, CounterStore } from './limit.ts';

/**
 * Whether the address is new to a credential that was used before, or on first use, to its owner. All parts of the statement see the
 * table as of its start.
 */
const note = preparedText<{ inserted: boolean; used_before: boolean }>(
  'known-addresses.note',
  `with before as (select from known_addresses.known_address where credential = $1 limit 1),
       of_owner as (select from known_addresses.known_address where credential = $4 limit 1),
       from_here as (select from known_addresses.known_address where credential = $4 and digest = $5),
       by_owner as (
         insert into known_addresses.known_address (credential, digest, last_used_at) select $4, $5, $3 where $4 <> $1
         on conflict (credential, digest) do update set last_used_at = greatest(known_address.last_used_at, excluded.last_used_at)),
       written as (
         insert into known_addresses.known_address (credential, digest, last_used_at) values ($1, $2, $3)
         on conflict (credential, digest) do update set last_used_at = greatest(known_address.last_used_at, excluded.last_used_at)
         returning xmax = 0 as inserted)
  select inserted, exists (select from before) or (exists (select from of_owner) and not exists (select from from_here)) as used_before
    from written`,
  { writes: true },
);

/** Deletes all addresses of a credential except the last used ones. */
const bound = preparedText(
  'known-addresses.bound',
  `delete from known_addresses.known_address k where k.credential = $1 and k.digest in (
    select digest from known_addresses.known_address where credential = $1 order by last_used_at desc offset $2)`,
  { writes: true },
);

/** Stores that a credential was used from an address. Of concurrent calls, one inserts it. */
export async function noteAddress(
  db: Database,
  {
    credential,
    digest,
    owner,
    usedAt,
  }: { credential: string; digest: Buffer; owner: { credential: string; digest: Buffer }; usedAt: Date },
  addressesMax: number,
): Promise<{ isNew: boolean; usedBefore: boolean }> {
  const rows = await note(db, [credential, digest, usedAt, owner.credential, owner.digest]);
  const [{ inserted, used_before: usedBefore } = { inserted: false, used_before: false }] = rows;
  if (inserted && usedBefore)
    for (const one of new Set([credential, owner.credential])) await bound(db, [one, addressesMax]);
  return { isNew: inserted, usedBefore };
}

/** Parameters: $1 key, $2 now, $3 cost, $4 points, in milliseconds $5 window, $6 first delay, $7 longest delay; $8 name, $9 about. */
const ENDS = `$2::timestamptz + $5::bigint * interval '1 ms'`;

/** SQL for when a counter opens again, from its spent points and its expiry. */
const closedUntil = (spent: string, expiresAt: string) => `
  case when ${spent} < $4::int then null
       when $6::bigint = 0 then ${expiresAt}
       else $2 + least($6 * power(2, least(${spent} - $4, 30)), $7::bigint) * interval '1 ms' end`;

const SPENT = 'case when c.expires_at > $2 then c.spent else 0 end + $3';

const EXPIRES = `case when c.expires_at > $2 and $6 = 0 then c.expires_at else ${ENDS} end`;

const spend = preparedText(
  'throttles.spend',
  `
  insert into throttles.counter as c (key, spent, closed_until, expires_at, name, about)
  values ($1, $3::int, ${closedUntil('$3', ENDS)}, ${ENDS}, $8, $9)
  on conflict (key) do update
     set spent = ${SPENT}, closed_until = ${closedUntil(`(${SPENT})`, EXPIRES)}, expires_at = ${EXPIRES}, name = $8, about = $9
   where c.closed_until is null or c.closed_until <= $2 or c.expires_at <= $2
  returning spent`,
  { writes: true },
);

const closedOf = (counter: string) => `
  select ceil(extract(epoch from closed_until - $2) * 1000)::float8 as ms from ${counter} where closed_until > $2 and expires_at > $2`;

const closed = preparedText<{ ms: number }>(
  'throttles.closed',
  closedOf('(select closed_until, expires_at from throttles.counter where key = $1) c'),
);

/** Waits for the transactions that are counting. */
const closedInTurn = preparedText<{ ms: number }>(
  'throttles.closed-in-turn',
  closedOf('(select closed_until, expires_at from throttles.counter where key = $1 for share) c'),
  { writes: true },
);

interface ClosedRow {
  key: Buffer;
  name: string;
  about: string | null;
  spent: number;
  until: Date;
}

/** Parameters: $1 now, $2 names or null. */
const REFUSES =
  'closed_until > $1 and expires_at > $1 and name is not null and ($2::text[] is null or name = any ($2))';

const SHOWN = 'select key, name, about, spent, closed_until as until from throttles.counter';

/** The first condition on the position uses the index. */
const allClosed = preparedText<ClosedRow>(
  'throttles.all-closed',
  `${SHOWN} where ${REFUSES} and closed_until <= $4::timestamptz and (closed_until, key) < ($4, $5::bytea)
    order by closed_until desc, key desc limit $3`,
);

const countOfClosed = preparedText<{ count: number }>(
  'throttles.count-closed',
  `select count(*)::int as count from (select from throttles.counter where ${REFUSES} limit $3) refuses`,
);

const oneClosed = preparedText<ClosedRow>('throttles.one-closed', `${SHOWN} where ${REFUSES} and key = $3`);

const toCounter = ({ about, until, ...row }: ClosedRow): ClosedCounter => ({
  ...row,
  about: about ?? undefined,
  until: new Date(until),
});

const giveBack = preparedText(
  'throttles.give-back',
  'update throttles.counter set spent = greatest(spent - $2::int, 0), closed_until = null where key = $1',
  { writes: true },
);

const reset = preparedText('throttles.reset', 'delete from throttles.counter where key = $1', { writes: true });

const listed = (names: ReadonlySet<string> | undefined): string[] | null => (names === undefined ? null : [...names]);

/** Sorts before every key. */
const FIRST = Buffer.alloc(0);

/** Counts in PostgreSQL. */
export function postgresStore(db: Database): CounterStore {
  async function closedFor(key: Buffer, nowMs: number, inTurn = false): Promise<number> {
    const [row] = await (inTurn ? closedInTurn : closed)(db, [key, new Date(nowMs)]);
    return row?.ms ?? 0;
  }

  return {
    closedFor,
    async spend(key, { points, windowMs, firstDelayMs, maxDelayMs, name, about }, cost, nowMs) {
      const values = [
        key,
        new Date(nowMs),
        cost,
        points,
        windowMs,
        firstDelayMs,
        maxDelayMs,
        name ?? null,
        about ?? null,
      ];
      const spent = await spend(db, values);
      return spent.length === 1 ? 0 : Math.max(1, await closedFor(key, nowMs));
    },
    async giveBack(key, cost) {
      await giveBack(db, [key, cost]);
    },
    async reset(key) {
      await reset(db, [key]);
    },
    async closed(nowMs, max, behind, names) {
      const place = [behind?.until ?? 'infinity', behind?.key ?? FIRST];
      const rows = await allClosed(db, [new Date(nowMs), listed(names), max, ...place]);
      return rows.map(toCounter);
    },
    async countClosed(nowMs, max, names) {
      return (await countOfClosed(db, [new Date(nowMs), listed(names), max]))[0]?.count ?? 0;
    },
    async findClosed(key, nowMs, names) {
      const [row] = await oneClosed(db, [new Date(nowMs), listed(names), key]);
      return row && toCounter(row);
    },
  };
}
