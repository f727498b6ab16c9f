import { and, eq, lte, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import { type RoutingFacts, type RowInSql, rowInSql } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { gathered, placed } from '#lib/postgres/gathered-reads.ts';
import { type Given, prepared, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { application, payTagApplicationId } from '#modules/clients';
import { accountRoute, type Currency } from '#modules/ledger';
import type { PayableRows } from '#modules/tags';
import type { walletRoute } from '#modules/wallets';
import { tagTransaction } from './tables.ts';

export type TagTransactionRow = typeof tagTransaction.$inferSelect;

/** The parties and terms of an offer. */
export const offerRoute = {
  table: 'tag_transactions.tag_transaction',
  columns: [
    'id',
    'reference',
    'requestHash',
    'senderAppId',
    'receiverAppId',
    'senderTag',
    'receiverTag',
    'amount',
    'fee',
    'currency',
    'narration',
  ],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [offerRoute];

export const sender = alias(application, 'sender');

export const receiver = alias(application, 'receiver');

/** Transactions with the names of their applications; the caller adds the condition. */
export const selectParts = (db: Executor) => selectPartsWith(db, {});

/** The same with further columns. */
export const selectPartsWith = <More extends Record<string, SQL>>(db: Executor, more: More) =>
  db
    .select({ row: tagTransaction, senderAppName: sender.name, receiverAppName: receiver.name, ...more })
    .from(tagTransaction)
    .innerJoin(sender, eq(sender.id, tagTransaction.senderAppId))
    .innerJoin(receiver, eq(receiver.id, tagTransaction.receiverAppId))
    .$dynamic();

/** A row with the names of the two applications. */
export type TagTransactionParts = Awaited<ReturnType<typeof selectParts>>[number];

/** The sender's transaction of this reference, a declined one too. */
export const selectByReference = preparedOne(
  'tag-transactions.by-reference',
  (db, given: Given<{ senderAppId: string; reference: string }>) =>
    selectParts(db).where(
      and(eq(tagTransaction.senderAppId, given.senderAppId), eq(tagTransaction.reference, given.reference)),
    ),
);

/** The transaction with this id. */
export const selectById = preparedOne('tag-transactions.by-id', (db, given: Given<{ id: string }>) =>
  selectParts(db).where(eq(tagTransaction.id, given.id)),
);

const walletOf = (applicationId: typeof tagTransaction.senderAppId | typeof tagTransaction.receiverAppId) =>
  sql<RowInSql<
    typeof accountRoute
  > | null>`(select ${sql.raw(rowInSql(accountRoute, 'a'))} from ledger.account a where a.kind = 'APPLICATION'
    and a.reference = ${applicationId}::text and a.currency = ${tagTransaction.currency})`;

const selectToDecide = prepared('tag-transactions.decided', (db, given: Given<{ ids: readonly string[] }>) =>
  db
    .select({
      row: tagTransaction,
      senderAppName: sender.name,
      receiverAppName: receiver.name,
      senderAccount: walletOf(tagTransaction.senderAppId),
      receiverAccount: walletOf(tagTransaction.receiverAppId),
      areTagsInUse: sql<boolean>`(select count(*) = 2
        from unnest(array[${tagTransaction.senderTag}, ${tagTransaction.receiverTag}]) handle, tags.payable(handle) p
        where not p.is_suspended)`,
    })
    .from(tagTransaction)
    .innerJoin(sender, eq(sender.id, tagTransaction.senderAppId))
    .innerJoin(receiver, eq(receiver.id, tagTransaction.receiverAppId))
    .where(sql`${tagTransaction.id} = any(${given.ids})`),
);

type ToDecide = Awaited<ReturnType<typeof selectToDecide>>[number];

const isSeenBy = (applicationId: string, { senderAppId, receiverAppId, status }: TagTransactionRow): boolean =>
  senderAppId === applicationId || (receiverAppId === applicationId && status !== 'DECLINED');

const selectByIds = prepared('tag-transactions.by-ids', (db, given: Given<{ ids: readonly string[] }>) =>
  // The sub-select hides the number of ids from the planner, which would plan each call again.
  selectParts(db).where(sql`${tagTransaction.id} = any((select ${given.ids}::uuid[])::uuid[])`),
);

/** The transactions with these ids. */
export const selectAllById = (db: Executor, ids: readonly string[]): Promise<TagTransactionParts[]> =>
  selectByIds(db, { ids });

/**
 * A transaction that this application sends or receives. A declined one is its sender's alone. Concurrent calls share a
 * statement.
 */
export const selectOf = gathered<{ applicationId: string; id: string }, TagTransactionParts & { ordinal: number }>(
  async (db, asked) => seenOf(asked, await selectByIds(db, { ids: [...new Set(asked.map(({ id }) => id))] })),
);

/** The row that each caller may see. */
function seenOf<Row extends { row: TagTransactionRow }>(
  asked: readonly { applicationId: string; id: string }[],
  found: readonly Row[],
): (Row & { ordinal: number })[] {
  const byId = new Map(found.map((one) => [one.row.id, one]));
  return placed(asked, ({ applicationId, id }) => {
    const one = byId.get(id);
    return one !== undefined && isSeenBy(applicationId, one.row) ? one : undefined;
  });
}

/**
 * As `selectOf`, with both accounts, and whether both tags can pay and be paid now. Concurrent calls share a statement.
 */
export const selectDecided = gathered<{ applicationId: string; id: string }, ToDecide & { ordinal: number }>(
  async (db, asked) => seenOf(asked, await selectToDecide(db, { ids: asked.map(({ id }) => id) })),
);

/** Marks an overdue transaction as expired. @returns undefined if it is not overdue any more */
export async function expireOverdue(tx: Tx, id: string, now: Date): Promise<TagTransactionRow | undefined> {
  return expire(tx, { id, now });
}

// A literal, so that PostgreSQL chooses the partial index.
const isPending = sql`${tagTransaction.status} = 'AWAITING_ACCEPTANCE'`;

const expire = preparedOne('tag-transactions.expire', (db, given: Given<{ id: string; now: Date }>) =>
  db
    .update(tagTransaction)
    .set({ status: 'EXPIRED', updatedAt: sql`${given.now}` })
    .where(and(eq(tagTransaction.id, given.id), isPending, lte(tagTransaction.expiresAt, given.now)))
    .returning(),
);

/** The ids of overdue transactions, the longest overdue first. */
export async function selectOverdue(db: Executor, now: Date, limit: number): Promise<string[]> {
  return (await overdue(db, { now, limit })).map(({ id }) => id);
}

const overdue = prepared('tag-transactions.overdue', (db, given: Given<{ now: Date; limit: number }>) =>
  db
    .select({ id: tagTransaction.id })
    .from(tagTransaction)
    .where(and(isPending, lte(tagTransaction.expiresAt, given.now)))
    .orderBy(tagTransaction.expiresAt)
    .limit(given.limit),
);

/** A tag with its owner and its money. */
export interface TagParty extends PayableRows {
  handle: string;
  namespace: string;
  applicationId: string;
  applicationName: string;
  isSuspended: boolean;
  /** Its application's account in the currency. */
  account: RowInSql<typeof accountRoute> | null;
  /** For a PayTag instead: its customer's primary wallet. */
  wallet: RowInSql<typeof walletRoute> | null;
}

interface Parties {
  ordinal: number;
  /** The id of a transaction between them. */
  id: string;
  sender: TagParty | null;
  receiver: TagParty | null;
}

const party = (side: string) => `case when ${side}.handle is not null then json_build_object('handle', ${side}.handle,
  'namespace', ${side}.namespace, 'applicationId', ${side}.application_id, 'applicationName', ${side}.application_name,
  'isSuspended', ${side}.is_suspended, 'tag', ${side}.tag, 'subject', ${side}.subject, 'account', ${side}.account,
  'wallet', ${side}.wallet) end as ${side}`;

const behind = (side: string) => `left join lateral (
    select p.*, case when p.application_id = '${payTagApplicationId}' then (select w.wallet
          from wallets.primary_wallet(case p.application_id when '${payTagApplicationId}' then p.external_id::uuid end) w) end as wallet,
        case when p.application_id <> '${payTagApplicationId}' then (select ${rowInSql(accountRoute, 'a')} from ledger.account a
               where a.kind = 'APPLICATION' and a.reference = p.application_id::text and a.currency = asked.currency) end as account
      from tags.payable(asked.${side}) p) ${side} on true`;

const selectAll = preparedText<Parties>(
  'tag-transactions.parties',
  `select asked.ordinal::int, uuidv7() as id, ${party('sender')}, ${party('receiver')}
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality asked (sender, receiver, currency, ordinal)
     ${behind('sender')}
     ${behind('receiver')}`,
);

/** The parties of two handles. Concurrent calls share a statement. */
export const selectParties = gathered<
  { sender: string | undefined; receiver: string | undefined; currency: Currency },
  Parties
>((db, asked) =>
  selectAll(db, [
    asked.map((one) => one.sender ?? null),
    asked.map((one) => one.receiver ?? null),
    asked.map(({ currency }) => currency),
  ]),
);
