import { and, between, eq, gte, lt } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { type Given, prepared, preparedText } from '#lib/prepared.ts';
import type { Account } from './accounts.ts';
import { archivedError } from './archived.ts';
import type { Movement } from './history.ts';
import { asMinor, type Minor } from './money.ts';
import { entry, transaction } from './tables.ts';

/** Entries in a page, which bounds the memory of a statement of any length. */
const PAGE = 250;

/** What happened to a strict account in a period: from the entry numbered `first` to the one numbered `last`. */
export interface Period {
  first: number;
  /** Less than `first` where nothing happened. */
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
 *
 * @throws DomainError PERIOD_ARCHIVED when entries of the account are archived that are, or may be, of this period
 */
export async function periodOf(
  db: Executor,
  { id, version }: Pick<Account, 'id' | 'version'>,
  { from, to }: { from: Date; to: Date },
): Promise<Period> {
  const since = await firstSince(db, id, version, from);
  if (since.archivedUntil !== undefined && from < since.archivedUntil) {
    throw archivedError('the statement begins too early', since.archivedUntil);
  }
  const { first } = since;
  const last = (await firstSince(db, id, version, to)).first - 1;
  const [found] = await selectTotals(db, [id, first, last, from, to]);
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
  { from, to }: { from: Date; to: Date },
): Promise<Movement[]> {
  return selectMovements(db, { account, first, last, from, to });
}

const selectMovements = prepared(
  'ledger.period-movements',
  (db, given: Given<{ account: number; first: number; last: number; from: Date; to: Date }>) =>
    db
      .select({ transaction, entry })
      .from(entry)
      .innerJoin(transaction, eq(transaction.id, entry.transactionId))
      .where(
        and(
          eq(entry.accountId, given.account),
          gte(entry.createdAt, given.from),
          lt(entry.createdAt, given.to),
          between(entry.version, given.first, given.last),
        ),
      )
      .orderBy(entry.version),
);

/** So far back an entry is looked for first: most accounts have moved since. */
const RECENT = `interval '62 days'`;
/**
 * What an entry left that is dated no later than a moment, which may be carried of one that is archived. Times say in which parts
 * of the entries it is looked for: in the last that it can be in, and then in those before.
 */
function balanceAfter(account: string, version: string, before: string): string {
  const latest = `(select least(moved_at, ${before}) from ledger.account where id = ${account})`;
  const closing = `select closing from ledger.entry where account_id = ${account} and version = ${version}`;
  return `coalesce(
    (${closing} and created_at <= ${latest} and created_at >= ${latest} - ${RECENT}),
    (${closing} and created_at < ${latest} - ${RECENT}),
    (select closing from ledger.carried where account_id = ${account} and version = ${version}))`;
}

/** Of an account: numbers of the first and the last entry, from when, until when. */
const selectTotals = preparedText<{ opening: string | null; closing: string | null; credits: string; debits: string }>(
  'ledger.period',
  `select ${balanceAfter('$1', '$2::bigint - 1', '$4::timestamptz')} as opening,
     ${balanceAfter('$1', '$3::bigint', '$5::timestamptz')} as closing,
     coalesce(sum(amount) filter (where amount > 0), 0) as credits,
     coalesce(-sum(amount) filter (where amount < 0), 0) as debits
   from ledger.entry where account_id = $1 and version between $2::bigint and $3::bigint
     and created_at >= $4::timestamptz and created_at < $5::timestamptz`,
);

/**
 * The number of the first entry at or after a moment, if there is none, one more than the last; and until when entries of the account
 * are archived. It is looked for in the part of that moment, where its entries are halved again and again; where the account has none
 * there, it is the first of a later part.
 */
async function firstSince(
  db: Executor,
  account: number,
  version: number,
  at: Date,
): Promise<{ first: number; archivedUntil: Date | undefined }> {
  const [found] = await selectFirst(db, [account, version, at]);
  return { first: Number(found?.first ?? 1), archivedUntil: found?.until == null ? undefined : new Date(found.until) };
}

const IN_PART = `ledger.entry e where e.account_id = $1 and e.version <= $2::bigint
    and e.created_at >= d.starts and e.created_at < d.ends`;

/** Of an account: the number of its last entry, and the moment. */
const selectFirst = preparedText<{ first: string; until: string | null }>(
  'ledger.first-since',
  `with recursive carried (version, until) as materialized (
    select max(version), case when max(version) is not null then (select max(ends_at) from ledger.archive) end
      from ledger.carried where account_id = $1),
  part (starts, ends) as materialized (
    select p.starts_at, p.ends_at from ledger.entry_parts() p where p.starts_at <= $3::timestamptz and p.ends_at > $3::timestamptz),
  known (first, starts, ends, moved_at) as materialized (
    select case when a.moved_at is null or a.moved_at < $3::timestamptz then $2::bigint + 1
                when p.starts is null then coalesce(c.version, 0) + 1 end,
        p.starts, p.ends, a.moved_at
      from ledger.account a cross join carried c left join part p on true where a.id = $1),
  halving (low, high, starts, ends) as (
    select case when d.first is not null then d.first else coalesce((select min(e.version) from ${IN_PART}), (
              select min(e.version) from ledger.entry e where e.account_id = $1 and e.version <= $2::bigint
                and e.created_at >= d.ends and e.created_at <= d.moved_at), $2::bigint + 1) end,
        case when d.first is null then (select max(e.version) from ${IN_PART}) + 1 end, d.starts, d.ends
      from known d
    union all
    select case when earlier then middle + 1 else low end, case when earlier then high else middle end, starts, ends
      from (select low, high, (low + high) / 2 as middle, starts, ends,
              (select e.created_at < $3::timestamptz from ledger.entry e where e.account_id = $1
                  and e.version = (low + high) / 2 and e.created_at >= starts and e.created_at < ends) as earlier
            from halving where low < high) step)
  select h.low as first, to_json(c.until) #>> '{}' as until from halving h, carried c where h.low >= coalesce(h.high, h.low)`,
);
