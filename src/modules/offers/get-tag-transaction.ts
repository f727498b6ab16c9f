import type { Clock } from '#lib/clock.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { TransactionType } from '#modules/ledger';
import { listDeliveriesAboutOne } from '#modules/webhooks';
import { bookedAs, bookReference } from './settlement-posting.ts';
import { selectAllById, selectById, selectByReference, selectOf } from './store.ts';
import { type TagTransaction, toTagTransaction } from './tag-transaction.ts';
import { transactionNotFound } from './transition.ts';
import { type TransactionView, viewOf, viewWith } from './webhook-record.ts';

/** A transaction that this application sends or receives. @throws DomainError TRANSACTION_NOT_FOUND, also for others */
export async function getTagTransaction(
  { db, clock }: { db: Database; clock: Clock },
  { applicationId, id }: { applicationId: string; id: string },
): Promise<TransactionView> {
  const [found, deliveries] = await Promise.all([
    selectOf(db, { applicationId, id }),
    listDeliveriesAboutOne(db, { ownerId: applicationId, subjectId: id }),
  ]);
  if (found === undefined) throw transactionNotFound();
  return viewWith(toTagTransaction(found, clock.now()), applicationId, deliveries);
}

/** The transaction to which an application gave a reference, a declined one too; undefined when it gave it to none. */
export async function findTagTransaction(
  { db, clock }: { db: Database; clock: Clock },
  { applicationId, reference }: { applicationId: string; reference: string },
): Promise<TransactionView | undefined> {
  const found = await selectByReference(db, { senderAppId: applicationId, reference });
  return found && viewOf(db, applicationId, toTagTransaction(found, clock.now()));
}

/** What applications agreed on that was booked under this reference of ours; undefined where it is none of those. */
export async function findBookedAs(
  { db, clock }: { db: Executor; clock: Clock },
  reference: string,
): Promise<TagTransaction | undefined> {
  const id = bookedAs(reference);
  const found = id === undefined ? undefined : await selectById(db, { id });
  return found && toTagTransaction(found, clock.now());
}

/** Who sent what applications agreed on, application and tag, by the reference of ours that it was booked under. Other transactions are left out. */
export async function findSendersBookedAs(
  db: Executor,
  transactions: readonly { type: TransactionType; reference: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = transactions.flatMap(({ type, reference }) => (type === 'SWITCH' ? (bookedAs(reference) ?? []) : []));
  if (ids.length === 0) return new Map();
  const found = await selectAllById(db, ids);
  return new Map(
    found.map(({ row, senderAppName }) => [bookReference(row.id), `${senderAppName} (@${row.senderTag})`]),
  );
}
