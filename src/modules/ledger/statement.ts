import { and, between, eq } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedText } from '#lib/postgres/prepared.ts';
import type { Account } from './accounts.ts';
import type { Movement } from './find-transaction.ts';
import { asMinor, type Minor } from './money.ts';
import { entry, transaction } from './tables.ts';

/** Entries in a page, which bounds the memory of a statement of any length. */
const PAGE = 250;

/** A period of a strict account: from the entry numbered `first` to the one numbered `last`. */
export interface Period {
  first: number;
  /** Less than `first` in an empty period. */
  last: number;
  /** Minor units; both totals are unsigned. Each is read independently, so that the reader can check that they balance. */
  opening: Minor;
  credits: Minor;
  debits: Minor;
  closing: Minor;
}

/**
 * The balances and totals of an account between two moments, the later one not included. Entries are numbered in the order
 * of their time, so the period is found by binary search: the cost grows with the period, not with the history before it.
 */
export async function periodOf(
  db: Executor,
  { id, version }: Pick<Account, 'id' | 'version'>,
  { from, to }: { from: Date; to: Date },
): Promise<Period> {
  const first = await firstSince(db, id, version, from);
  const last = (await firstSince(db, id, version, to)) - 1;
  const [found] = await selectTotals(db, [id, first, last]);
  const amount = (text: string | null | undefined) => asMinor(BigInt(text ?? 0));
  return {
    first,
    last,
    opening: amount(found?.opening),
    credits: amount(found?.credits),
    debits: amount(found?.debits),
    closing: amount(found?.closing),
  };
}

/** The entries of a period in pages, oldest first. */
export function* pagesOf({ first, last }: Pick<Period, 'first' | 'last'>): Generator<Pick<Period, 'first' | 'last'>> {
  for (let next = first; next <= last; next += PAGE) yield { first: next, last: Math.min(last, next + PAGE - 1) };
}

/** The movements of a page of a period, oldest first. */
export async function movementsIn(
  db: Executor,
  account: number,
  { first, last }: Pick<Period, 'first' | 'last'>,
): Promise<Movement[]> {
  return selectMovements(db, { account, first, last });
}

const selectMovements = prepared(
  'ledger.period-movements',
  (db, given: Given<{ account: number; first: number; last: number }>) =>
    db
      .select({ transaction, entry })
      .from(entry)
      .innerJoin(transaction, eq(transaction.id, entry.transactionId))
      .where(and(eq(entry.accountId, given.account), between(entry.version, given.first, given.last)))
      .orderBy(entry.version),
);

const selectTotals = preparedText<{ opening: string | null; closing: string | null; credits: string; debits: string }>(
  'ledger.period',
  `select (select closing from ledger.entry where account_id = $1 and version = $2::bigint - 1) as opening,
     (select closing from ledger.entry where account_id = $1 and version = $3::bigint) as closing,
     coalesce(sum(amount) filter (where amount > 0), 0) as credits,
     coalesce(-sum(amount) filter (where amount < 0), 0) as debits
   from ledger.entry where account_id = $1 and version between $2::bigint and $3::bigint`,
);

/** The number of the first entry at or after a moment; if there is none, one more than the last. */
async function firstSince(db: Executor, account: number, version: number, at: Date): Promise<number> {
  const [found] = await selectFirst(db, [account, version, at]);
  return Number(found?.first ?? 1);
}

/** A binary search over the entry numbers of an account. */
const selectFirst = preparedText<{ first: string }>(
  'ledger.first-since',
  `with recursive halving (low, high) as (
    select 1::bigint, $2::bigint + 1
    union all
    select case when earlier then middle + 1 else low end, case when earlier then high else middle end
      from (select low, high, (low + high) / 2 as middle,
              (select e.created_at < $3::timestamptz from ledger.entry e
                where e.account_id = $1 and e.version = (low + high) / 2) as earlier
            from halving where low < high) step)
  select low as first from halving where low = high`,
);
