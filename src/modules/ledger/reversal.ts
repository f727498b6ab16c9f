import { and, asc, eq, type SQL, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import type { TransactionRow } from './find-transaction.ts';
import { asMinor } from './money.ts';
import { ALL_PARTNERS, type Leg, type Posting } from './posting.ts';
import { systemAccount } from './system-accounts.ts';
import { transaction } from './tables.ts';

/** Which transaction the operator means. */
export interface NamedTransaction {
  reference: string;
  /** Our id, where several have this reference. */
  id?: number | undefined;
  /** A partner's: its own and those that moved one of its wallets. An application's: its own. */
  partnerId?: string | undefined;
  applicationId?: string | undefined;
}

/**
 * The transactions of a reference, oldest first, at most a few. Where neither partner nor application is named, only those
 * with a reference that is one for all.
 */
export async function findTransactionsNamed(
  db: Executor,
  { reference, id, partnerId, applicationId }: NamedTransaction,
): Promise<TransactionRow[]> {
  const named = { reference, id: id ?? null };
  if (partnerId !== undefined) return namedAtPartner(db, { ...named, owner: partnerId });
  if (applicationId !== undefined) return namedByOwner(db, { ...named, owner: applicationId });
  if (id === undefined) return namedForAll(db, { ...named, owner: ALL_PARTNERS });
  const found = await byId(db, { id });
  return found?.reference === reference ? [found] : [];
}

type OfOwner = Given<{ reference: string; id: number | null; owner: string }>;

const selectNamed = (name: string, isTheirs: (given: OfOwner) => SQL) =>
  prepared(name, (db, given: OfOwner) =>
    db
      .select()
      .from(transaction)
      .where(
        and(
          eq(transaction.reference, given.reference),
          sql`(${given.id}::bigint is null or ${transaction.id} = ${given.id})`,
          isTheirs(given),
        ),
      )
      .orderBy(asc(transaction.id))
      .limit(20),
  );

// The namers are literals, so that PostgreSQL chooses the partial index.
const namedByOwner = selectNamed('ledger.reference-of-owner', ({ owner }) => eq(transaction.ownerId, owner));
const namedAtPartner = selectNamed(
  'ledger.reference-at-partner',
  ({ owner }) => sql`(${transaction.ownerId} = ${owner} or ${transaction.namer} <> 'PARTNER' and (
    ${transaction.partnerId} = ${owner} or exists (select from ledger.entry e join ledger.account a on a.id = e.account_id
      where e.transaction_id = ${transaction.id} and a.partner_id = ${owner})))`,
);
const namedForAll = selectNamed(
  'ledger.reference-for-all',
  ({ owner }) => sql`(${transaction.ownerId} = ${owner} or ${transaction.namer} in ('CUSTOMER', 'APPLICATION'))`,
);

/** A transaction, locked until this database transaction ends: before any account is. */
export async function lockTransaction(tx: Tx, id: number): Promise<TransactionRow | undefined> {
  await lockById(tx, [id]);
  return byId(tx, { id });
}

const lockById = preparedText('ledger.lock-transaction', 'select ledger.lock_transaction($1)', { writes: true });
const byId = preparedOne('ledger.transaction', (db, given: Given<{ id: number }>) =>
  db.select().from(transaction).where(eq(transaction.id, given.id)),
);

/** The legs that undo every entry of a transaction. None for one that moved nothing. */
export async function reversingLegs(db: Executor, id: number): Promise<Leg[]> {
  const rows = await legsOf(db, [id]);
  return rows.map(({ account, amount, fee }) => ({
    account: Number(account),
    amount: asMinor(BigInt(amount)),
    fee: asMinor(BigInt(fee)),
  }));
}

const legsOf = preparedText<Record<'account' | 'amount' | 'fee', string>>(
  'ledger.legs-against',
  `select account_id as account, -sum(amount) as amount, max(fee) as fee from ledger.entry where transaction_id = $1
    group by account_id having sum(amount) <> 0 order by min(leg)`,
);

/**
 * The posting that undoes every entry of a transaction, charges included. Money for a wallet that cannot be credited goes to
 * suspense.
 *
 * @param legs from `reversingLegs`
 */
export function reversalPosting(
  original: TransactionRow,
  legs: readonly Leg[],
  named: Pick<Posting, 'owner' | 'namer' | 'reference' | 'comment' | 'predecidedRefusal'>,
): Posting {
  const { id, amount, currency, sourceId, destinationId } = original;
  if (sourceId === null || destinationId === null) throw new Error(`transaction ${id} has no way back`);
  const type = 'REVERSAL';
  const mayWait = legs.length > 0 && original.status !== 'Pending';
  return {
    ...named,
    partner: original.partnerId ?? undefined,
    type,
    amount: asMinor(amount),
    fee: asMinor(original.fee),
    commission: asMinor(original.commission),
    stampDuty: asMinor(original.stampDuty),
    currency,
    source: destinationId,
    destination: sourceId,
    externalReference: original.reference,
    legs,
    original: id,
    reverses: true,
    ...(mayWait ? { arrived: true, suspenseAccount: systemAccount('SUSPENSE', currency) } : {}),
    request: { type, reversalOf: id, comment: named.comment },
  };
}

/** The reversal of a transaction, if it was reversed. */
export async function findReversalOf(db: Executor, transactionId: number): Promise<TransactionRow | undefined> {
  return reversalOf(db, { transactionId });
}

const reversalOf = preparedOne('ledger.reversal', (db, given: Given<{ transactionId: number }>) =>
  db
    .select()
    .from(transaction)
    .where(
      and(
        eq(transaction.originalId, given.transactionId),
        eq(transaction.type, 'REVERSAL'),
        sql`${transaction.code} is null`,
      ),
    ),
);
