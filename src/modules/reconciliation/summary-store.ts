import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { dayAfter } from './banking-days.ts';
import type { ItemStatus } from './item-status.ts';
import { startOfDay } from './open-store.ts';
import { clearingAccount } from './rails.ts';
import type { ImportRow } from './store.ts';

const byStatus = preparedText<{ status: ItemStatus; count: number; theirs: string; difference: string }>(
  'reconciliation.lines-by-status',
  `select status, count(*)::int as count, sum(bank_amount)::bigint as theirs,
      sum(bank_amount - coalesce(our_amount, 0))::bigint as difference
    from reconciliation.item where import_id = $1 and line is not null group by status`,
);

/** What became of the lines of a file. */
export async function linesByStatus(db: Executor, importId: string) {
  const rows = await byStatus(db, [importId]);
  return rows.map(({ status, count, theirs, difference }) => ({
    status,
    count,
    theirs: BigInt(theirs),
    difference: BigInt(difference),
  }));
}

const kinds = ['OURS_ALONE', 'TIMING', 'RESOLVED', 'HERE', 'ELSEWHERE', 'NOT_COMPARED'] as const;

const ofDays = preparedText<Record<string, number | string | null>>(
  'reconciliation.postings-of-days',
  `select ${kinds.flatMap((of) => [`count(*) filter (where x.of = '${of}')::int as "${of}"`, `sum(x.amount) filter (where x.of = '${of}') as "${of} amount"`]).join(', ')}
    from (select -e.amount as amount, case when i.id is null then 'NOT_COMPARED' when i.line is null then i.status
            when i.import_id = $3 then 'HERE' else 'ELSEWHERE' end as of
          from ledger.entry e left join lateral (
              select * from reconciliation.item y where y.rail = $2 and y.transaction_id = e.transaction_id offset 0) i on true
          where e.account_id = $1 and e.created_at >= $4 and e.created_at < $5
            and (select t.type from ledger.transaction t where t.id = e.transaction_id) <> 'ADJUSTMENT') x`,
);

/** What became of our postings of a file's days: read from the ledger, and not from what is kept of them here. */
export async function postingsOfDays(db: Executor, { id, rail, fromDay, toDay }: ImportRow) {
  const [from, until] = [startOfDay(fromDay), startOfDay(dayAfter(toDay, 1))];
  const [row = {}] = await ofDays(db, [clearingAccount(rail), rail, id, from, until]);
  return kinds.map((of) => ({ of, count: Number(row[of] ?? 0), amount: BigInt(row[`${of} amount`] ?? 0) }));
}

const otherDays = preparedText<{ count: number; amount: string | null }>(
  'reconciliation.on-other-days',
  `select count(*)::int as count, sum(our_amount)::bigint as amount from reconciliation.item
    where import_id = $1 and line is not null and our_day is not null and our_day not between $2 and $3`,
);

/** The postings of a file's lines that are of other days than the file. */
export async function onOtherDays(db: Executor, { id, fromDay, toDay }: ImportRow) {
  const [row] = await otherDays(db, [id, fromDay, toDay]);
  return { count: row?.count ?? 0, amount: BigInt(row?.amount ?? 0) };
}
