import { and, desc, eq, gte, lt, lte, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import { pageOfWalk, type Walk } from '#lib/walk.ts';
import { HIDDEN_TYPES, type TransactionWithEntry } from './find-transaction.ts';
import type { TransactionRow } from './history.ts';
import type { Currency, Minor } from './money.ts';
import type { Namer, TransactionType } from './posting.ts';
import { account, entry, transaction } from './tables.ts';

/** Which transactions are asked for. What is absent is not asked. */
export interface TransactionFilter {
  /** In whose books they are. */
  partnerId?: string | undefined;
  /** Who owns the reference: an application. */
  applicationId?: string | undefined;
  namer?: Namer | undefined;
  type?: TransactionType | undefined;
  status?: TransactionRow['status'] | undefined;
  currency?: Currency | undefined;
  externalReference?: string | undefined;
  /** The principal: at least, and at most. */
  amountFrom?: Minor | undefined;
  amountTo?: Minor | undefined;
  /** Made from this moment on, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const row = alias(transaction, 'x');

/** How far times may be out of the order of ids. */
const TRANSACTION_MAX_MS = 60_000;

const idAt = (moment: Date, shiftMs: number): SQL =>
  sql`ledger.id_since(${new Date(moment.getTime() + shiftMs).toISOString()}::timestamptz)`;

/** Of those that wait or were refused there is an index, of a partner's too; for anything else they are looked through. */
function walkOf(filter: TransactionFilter): Walk {
  const { partnerId, applicationId, namer, type, status, currency, externalReference, from, to } = filter;
  const { amountFrom, amountTo } = filter;
  const isRare = status === 'Pending' || status === 'Failed';
  const ofPartner = partnerId === undefined ? undefined : eq(row.partnerId, partnerId);
  const ofStatus = status === undefined ? undefined : sql`${row.status} = ${sql.raw(`'${status}'`)}`;
  return {
    name: 'transactions',
    filter,
    table: transaction,
    row,
    key: row.id,
    within: and(
      isRare ? ofStatus : ofPartner,
      from && gte(row.id, idAt(from, -TRANSACTION_MAX_MS)),
      to && lt(row.id, idAt(to, TRANSACTION_MAX_MS)),
    ),
    matches: and(
      isRare ? ofPartner : ofStatus,
      applicationId === undefined ? undefined : eq(row.ownerId, applicationId),
      namer && eq(row.namer, namer),
      type && eq(row.type, type),
      currency && eq(row.currency, currency),
      externalReference === undefined ? undefined : eq(row.externalReference, externalReference),
      amountFrom === undefined ? undefined : gte(row.amount, amountFrom),
      amountTo === undefined ? undefined : lte(row.amount, amountTo),
      from && gte(row.createdAt, from),
      to && lt(row.createdAt, to),
    ),
  };
}

/**
 * The transactions of all partners and our own, declined ones too, newest first; each with what it did to the first wallet
 * that it moved, or of what was moved between a float and us, what it did to the float. `count` is of all that match.
 */
export async function listTransactions(
  db: Executor,
  filter: TransactionFilter,
  page: PageRequest<number>,
): Promise<Listed<TransactionWithEntry, number>> {
  return pageOfWalk(db, walkOf(filter), page, {
    rows: (keys) => selectShown(db, keys),
    keyOf: (one) => one.transaction.id,
  });
}

const hidden = sql.raw(HIDDEN_TYPES.map((type) => `'${type}'`).join(', '));

const selectShown = (db: Executor, keys: SQL) =>
  db
    .select({ transaction, entry })
    .from(transaction)
    .leftJoin(
      entry,
      and(
        eq(entry.transactionId, transaction.id),
        sql`${entry.leg} = (select min(e.leg) from ${entry} e join ${account} a on a.id = e.account_id
          where e.transaction_id = ${transaction.id}
            and (a.kind in ('WALLET', 'APPLICATION') or a.kind = 'FLOAT' and ${transaction.type} in (${hidden})))`,
      ),
    )
    .where(sql`${transaction.id} in (${keys})`)
    .orderBy(desc(transaction.id));
