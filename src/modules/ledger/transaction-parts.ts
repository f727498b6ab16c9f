import { and, desc, eq, sql } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import type { TransactionWithEntry } from './find-transaction.ts';
import type { EntryRow, TransactionRow } from './history.ts';
import { account, entry, hold, transaction } from './tables.ts';

/** Refunds of one transaction that are shown. */
const FOLLOWING_MAX = 100;
/** Transactions of partners with one reference that are found. */
const NAMED_MAX = 1_000;

/** An entry, and whose account it moved. */
export interface NamedEntry {
  entry: EntryRow;
  account: Pick<typeof account.$inferSelect, 'kind' | 'reference' | 'partnerId' | 'currency'>;
}

export type HoldRow = typeof hold.$inferSelect;

/** What belongs to a transaction. */
export interface TransactionParts {
  /** In the order in which they were posted; what waited in suspense has been moved on by later ones. */
  entries: NamedEntry[];
  /** What it refunds or reverses. */
  original: TransactionRow | undefined;
  /** What refunds or reverses it, or was refused to, the newest first, at most a hundred. */
  following: TransactionRow[];
  /** Of a posting in two steps: what holds its money, or held it. */
  hold: HoldRow | undefined;
}

/** Everything in the books that belongs to a transaction. */
export async function partsOf(db: Executor, { id, originalId, holdId }: TransactionRow): Promise<TransactionParts> {
  const [entries, original, following, held] = await Promise.all([
    selectEntries(db, { id }),
    originalId === null ? undefined : selectById(db, { id: originalId }),
    selectFollowing(db, { id }),
    holdId === null ? undefined : selectHold(db, { id: holdId }),
  ]);
  return { entries, original, following, hold: held };
}

const selectEntries = prepared('ledger.entries-of', (db, given: Given<{ id: number }>) =>
  db
    .select({
      entry,
      account: {
        kind: account.kind,
        reference: account.reference,
        partnerId: account.partnerId,
        currency: account.currency,
      },
    })
    .from(entry)
    .innerJoin(account, eq(account.id, entry.accountId))
    .where(eq(entry.transactionId, given.id))
    .orderBy(entry.leg),
);

/** A transaction by our id. */
const selectById = preparedOne('ledger.transaction-by-id', (db, given: Given<{ id: number }>) =>
  db.select().from(transaction).where(eq(transaction.id, given.id)),
);

const selectFollowing = prepared('ledger.transactions-after', (db, given: Given<{ id: number }>) =>
  db
    .select()
    .from(transaction)
    .where(eq(transaction.originalId, given.id))
    .orderBy(desc(transaction.id))
    .limit(FOLLOWING_MAX),
);

const selectHold = preparedOne('ledger.hold-by-id', (db, given: Given<{ id: number }>) =>
  db.select().from(hold).where(eq(hold.id, given.id)),
);

/**
 * The transactions, declined ones too, to which partners gave this reference, newest first: the references of each partner are
 * looked up by their index, since no index is of references alone.
 */
export async function findNamedByPartners(db: Executor, reference: string): Promise<TransactionWithEntry[]> {
  return selectNamedByPartners(db, { reference });
}

const selectNamedByPartners = prepared('ledger.named-by-partners', (db, given: Given<{ reference: string }>) =>
  db
    .select({ transaction, entry })
    .from(transaction)
    .leftJoin(
      entry,
      and(
        eq(entry.transactionId, transaction.id),
        sql`${entry.leg} = (select min(e.leg) from ledger.entry e join ledger.account a on a.id = e.account_id
          where e.transaction_id = ${transaction.id} and a.kind in ('WALLET', 'APPLICATION'))`,
      ),
    )
    .where(
      sql`${transaction.id} in (
        select t.id from ledger.account f cross join lateral (
            select x.id from ledger.transaction x
             where x.owner_id = f.partner_id and x.namer = 'PARTNER' and x.reference = ${given.reference} offset 0) t
          where f.kind = 'FLOAT' and f.currency = 'NGN' limit ${sql.raw(String(NAMED_MAX))})`,
    )
    .orderBy(desc(transaction.id)),
);

/** The account of a wallet, by the wallet's reference; `version` is the number of its last entry. */
export async function findWalletAccount(
  db: Executor,
  reference: string,
): Promise<{ id: number; version: number } | undefined> {
  return selectWalletAccount(db, { reference });
}

const selectWalletAccount = preparedOne('ledger.wallet-account', (db, given: Given<{ reference: string }>) =>
  db
    .select({ id: account.id, version: account.version })
    .from(account)
    .where(and(eq(account.kind, 'WALLET'), eq(account.reference, given.reference))),
);
