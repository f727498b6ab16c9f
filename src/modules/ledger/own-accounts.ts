import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { asMinor, type Currency, currencies, type Minor } from './money.ts';
import { type SystemAccountKind, systemAccount, systemAccountKinds } from './system-accounts.ts';

/** One of our own accounts, and what stands in it: also what postings have left to be added. */
export interface OwnAccount {
  account: SystemAccountKind;
  currency: Currency;
  balance: Minor;
}

const ownIds = systemAccountKinds.flatMap((kind) => currencies.map((currency) => systemAccount(kind, currency)));

const read = preparedText<{ kind: SystemAccountKind; currency: Currency; balance: string }>(
  'ledger.own-accounts',
  `select a.kind, a.currency, a.posted + coalesce(sum(d.amount), 0) as balance from ledger.account a
     left join ledger.deferred_delta d on d.account_id = a.id
   where a.id in (${ownIds.join(', ')}) group by a.id order by a.id`,
);

/** Our own accounts with their balances at this moment. */
export async function ownAccounts(db: Executor): Promise<OwnAccount[]> {
  const rows = await read(db, []);
  return rows.map(({ kind, currency, balance }) => ({ account: kind, currency, balance: asMinor(BigInt(balance)) }));
}

/**
 * What stands in one of our own accounts. Others who ask for the same, to take from it, wait until this transaction ends;
 * postings do not.
 */
export async function lockOwnBalance(tx: Tx, kind: SystemAccountKind, currency: Currency): Promise<Minor> {
  const id = systemAccount(kind, currency);
  const [, [row]] = await Promise.all([lockName(tx, [`ledger.own:${id}`]), balanceOf(tx, [id])]);
  return asMinor(BigInt(row?.balance ?? 0));
}

const lockName = preparedText('ledger.lock-own', 'select pg_advisory_xact_lock(hashtextextended($1, 0))', {
  writes: true,
});
const balanceOf = preparedText<{ balance: string }>(
  'ledger.own-balance',
  `select a.posted + coalesce((select sum(d.amount) from ledger.deferred_delta d where d.account_id = a.id), 0) as balance
    from ledger.account a where a.id = $1`,
);
