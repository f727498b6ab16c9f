import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { asMinor, type Currency, currencies, type Minor } from './money.ts';

/**
 * Our own accounts: the operator's bank (CLEARING) and each rail, where money enters and leaves the books; our charges;
 * money that cannot be credited yet (SUSPENSE); and what banks took or paid for a reason not yet known (DIFFERENCE).
 */
export const systemAccountKinds = [
  'CLEARING',
  'FEE',
  'COMMISSION',
  'STAMP_DUTY',
  'SUSPENSE',
  'CLEARING_GATEWAY',
  'CLEARING_TERMINAL',
  'CLEARING_INBOUND',
  'CLEARING_PAYOUT',
  'CLEARING_COLLECTION',
  'DIFFERENCE',
] as const;

/** Every kind of account. */
export const accountKinds = ['WALLET', 'FLOAT', 'APPLICATION', ...systemAccountKinds] as const;

export type SystemAccountKind = (typeof systemAccountKinds)[number];

/** The id of one of our own accounts. The baseline migration creates them in this order. */
export const systemAccount = (kind: SystemAccountKind, currency: Currency): number =>
  systemAccountKinds.indexOf(kind) * currencies.length + currencies.indexOf(currency) + 1;

/** The kind of one of our own accounts, by id; undefined for any other account. */
export const ownKindOf = (id: number | null): SystemAccountKind | undefined =>
  id === null ? undefined : systemAccountKinds[Math.floor((id - 1) / currencies.length)];

/** One of our own accounts with its balance, pending deltas included. */
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
 * The balance of one of our own accounts, locked against other callers of this function until the transaction ends, so that
 * no two withdraw the same money. Postings do not wait for the lock.
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
