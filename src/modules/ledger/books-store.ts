import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Account } from './accounts.ts';
import type { Currency } from './money.ts';

export type AccountKind = Account['kind'];

/** Everything that moved: what is added up, and after it the entries. One statement, and so of one moment. */
const EVERYTHING = `
  select d.day, d.kind, d.currency, d.debits, d.credits from books.day_total d where d.day <= $1
  union all
  select m.day, m.kind, m.currency, m.debits, m.credits
    from books.totalled x cross join lateral books.moved_between(x.until, 'infinity') m where m.day <= $1`;

const selectKinds = preparedText<{
  kind: AccountKind;
  currency: Currency;
  opening: string;
  debits: string;
  credits: string;
}>(
  'books.kinds-of-day',
  `select kind, currency, coalesce(sum(credits - debits) filter (where day < $1), 0) as opening,
      coalesce(sum(debits) filter (where day = $1), 0) as debits, coalesce(sum(credits) filter (where day = $1), 0) as credits
    from (${EVERYTHING}) moved group by kind, currency`,
);

/** What stood on each kind of account as a day began, and what moved there on it, in minor units. Kinds that never moved are left out. */
export async function selectKindsOfDay(db: Executor, day: string) {
  const rows = await selectKinds(db, [day]);
  return rows.map(({ kind, currency, ...sums }) => ({
    kind,
    currency,
    opening: BigInt(sums.opening),
    debits: BigInt(sums.debits),
    credits: BigInt(sums.credits),
  }));
}

const selectEnded = preparedText<{ ended: boolean }>(
  'books.has-ended',
  'select ledger.has_ended($1::timestamptz) as ended',
);

/** True when nothing dated before a moment can be committed any more: what is read after this answer holds all of it. */
export async function hasEnded(db: Executor, at: Date): Promise<boolean> {
  const [row] = await selectEnded(db, [at.toISOString()]);
  return row?.ended === true;
}

const selectLag = preparedText<{ lag: string }>(
  'books.lag',
  'select extract(epoch from clock_timestamp() - until) as lag from books.totalled',
);

/** Seconds between what is added up and now, by the database's clock; infinite where nothing was added up yet. */
export async function selectLagS(db: Executor): Promise<number> {
  const [row] = await selectLag(db, []);
  return Number(row?.lag);
}

/** From where it is, or from the first entry where nothing was added up yet. */
const step = preparedText<{ until: string; last: boolean }>(
  'books.step',
  `select to_json(least(youngest, begun + make_interval(secs => $2))) #>> '{}' as until,
      youngest <= begun + make_interval(secs => $2) is not false as last
    from (
      select clock_timestamp() - make_interval(secs => $1) as youngest, case when isfinite(x.until) then x.until
          else (select e.created_at from ledger.entry e order by e.transaction_id, e.leg limit 1) end as begun
        from books.totalled x) now`,
);
const add = preparedText<{ added: boolean }>(
  'books.add-up',
  'select books.add_up($1::timestamptz) is not null as added',
  {
    writes: true,
  },
);

/**
 * Adds up what moved in the next `stepS` seconds, until `graceS` seconds ago and a day at most.
 *
 * @returns whether there is more; false also when something older may still be committed, or another process does it
 */
export async function addUpStep(tx: Tx, { graceS, stepS }: { graceS: number; stepS: number }): Promise<boolean> {
  const [next] = await step(tx, [graceS, stepS]);
  if (next === undefined) return false;
  const at = new Date(next.until);
  if (!(await hasEnded(tx, at))) return false;
  const [row] = await add(tx, [at.toISOString()]);
  return row?.added === true && !next.last;
}
