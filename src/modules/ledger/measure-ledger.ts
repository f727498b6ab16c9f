import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { asMinor, type Currency, type Minor } from './money.ts';

/** Beyond so many the rest is not counted. */
const DEFERRED_MAX = 100_000;

export interface LedgerState {
  /** Movements that wait to be added to balances of our own accounts, counted up to a hundred thousand. */
  deferred: number;
  /** What cannot be credited yet: how much in how many payments, and how long the oldest waits; 0 where none does. */
  suspense: { currency: Currency; amount: Minor; items: number; oldestS: number }[];
}

const selectDeferred = preparedText<{ count: number }>(
  'ledger.deferred-count',
  'select count(*)::int as count from (select 1 from ledger.deferred_delta limit $1) d',
);

const selectSuspense = preparedText<{ currency: Currency; amount: string; items: number; oldest: number }>(
  'ledger.suspense-state',
  `select s.currency,
      s.posted + coalesce((select sum(d.amount) from ledger.deferred_delta d where d.account_id = s.id), 0) as amount,
      (select count(*)::int from ledger.transaction t where t.status = 'Pending' and t.currency = s.currency) as items,
      coalesce((select extract(epoch from now() - t.created_at)::float8 from ledger.transaction t
                  where t.status = 'Pending' and t.currency = s.currency order by t.id limit 1), 0) as oldest
    from ledger.account s where s.kind = 'SUSPENSE'`,
);

/** What waits in the books, for metrics. */
export async function measureLedger(db: Executor): Promise<LedgerState> {
  const [[deferred], suspense] = await Promise.all([selectDeferred(db, [DEFERRED_MAX]), selectSuspense(db, [])]);
  return {
    deferred: deferred?.count ?? 0,
    suspense: suspense.map(({ currency, amount, items, oldest }) => ({
      currency,
      amount: asMinor(BigInt(amount)),
      items,
      oldestS: Math.max(0, oldest),
    })),
  };
}
