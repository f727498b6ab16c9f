import { and, desc, eq, gte, lt, lte, or, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk, type Walk } from '#lib/postgres/lists.ts';
import { HIDDEN_TYPES, type TransactionWithEntry } from './find-transaction.ts';
import type { TransactionRow } from './history.ts';
import type { Currency, Minor } from './money.ts';
import type { Namer, TransactionType } from './posting.ts';
import { account, entry, transaction } from './tables.ts';

/** As readers see it: of a posting in two steps, whether its money may still move. */
export type ShownStatus = 'Pending' | 'Successful' | 'Failed' | 'Reversed';

export const STORED_AS: Readonly<Record<ShownStatus, readonly TransactionRow['status'][]>> = {
  Pending: ['Pending', 'Held'],
  Successful: ['Successful'],
  Failed: ['Failed', 'Voided'],
  Reversed: ['Reversed'],
};

/** Whether readers see a transaction in this status. */
export const isShownAs = ({ status }: Pick<TransactionRow, 'status'>, shown: ShownStatus): boolean =>
  STORED_AS[shown].includes(status);

/** Which transactions are asked for. What is absent is not asked. */
export interface TransactionFilter {
  /** In whose books they are. */
  partnerId?: string | undefined;
  /** Who owns the reference: an application. */
  applicationId?: string | undefined;
  namer?: Namer | undefined;
  type?: TransactionType | undefined;
  status?: ShownStatus | undefined;
  /** The code that they were refused with. */
  failureReason?: string | undefined;
  currency?: Currency | undefined;
  externalReference?: string | undefined;
  /** The principal: at least, and at most. */
  amountFrom?: Minor | undefined;
  amountTo?: Minor | undefined;
  /** Made from this moment on, and before that one. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The transactions that are asked, in every statement. */
export const row = alias(transaction, 'x');

/** How far times may be out of the order of ids. */
const TRANSACTION_MAX_MS = 60_000;

const idAt = (moment: Date, shiftMs: number): SQL =>
  sql`ledger.id_since(${new Date(moment.getTime() + shiftMs).toISOString()}::timestamptz)`;

/** Written out, so that PostgreSQL knows the index of those that have it. */
export const isOneOf = (statuses: readonly TransactionRow['status'][]): SQL =>
  statuses.length === 1
    ? sql`${row.status} = ${sql.raw(`'${statuses[0]}'`)}`
    : sql`${row.status} in (${sql.raw(statuses.map((one) => `'${one}'`).join(', '))})`;

export const given = <Value>(
  value: Value | undefined,
  condition: (value: Value) => SQL | undefined,
): SQL | undefined => (value === undefined ? undefined : condition(value));

/** What a transaction is asked that no index is walked along for. */
export const asked = (filter: TransactionFilter): SQL | undefined =>
  and(
    given(filter.applicationId, (id) => eq(row.ownerId, id)),
    given(filter.namer, (namer) => eq(row.namer, namer)),
    given(filter.type, (type) => eq(row.type, type)),
    given(filter.failureReason, (code) => or(eq(row.code, code), eq(row.voidReason, code))),
    given(filter.currency, (currency) => eq(row.currency, currency)),
    given(filter.amountFrom, (least) => gte(row.amount, least)),
    given(filter.amountTo, (most) => lte(row.amount, most)),
  );

/** The indexes that serve what is rare: what was refused, or waits, and of a wallet what it was to take part in. */
function waysTo(status: ShownStatus | undefined, wallet: number | undefined): SQL[] | undefined {
  const [ofSource, ofDestination] = [
    given(wallet, (id) => eq(row.sourceId, id)),
    given(wallet, (id) => eq(row.destinationId, id)),
  ];
  const ways = (conditions: (SQL | undefined)[]) => conditions.filter((one) => one !== undefined);
  if (status === 'Pending') return ways([and(isOneOf(['Pending']), ofDestination), and(isOneOf(['Held']), ofSource)]);
  if (status !== 'Failed') return undefined;
  const refused = isOneOf(STORED_AS.Failed);
  return wallet === undefined ? [refused] : ways([and(refused, ofSource), and(refused, ofDestination)]);
}

/** Of what is rare there are indexes, of a partner and of an external reference too; for anything else they are looked through. */
function walkOf(filter: TransactionFilter, wallet?: number): Walk {
  const { partnerId, status, externalReference, from, to } = filter;
  const ways = waysTo(status, wallet);
  const ofPartner = given(partnerId, (id) => eq(row.partnerId, id));
  const isExternal = given(externalReference, (name) => eq(row.externalReference, name));
  const best = ways === undefined ? (isExternal ?? ofPartner) : undefined;
  const rest = [ofPartner, isExternal].filter((one) => one !== best);
  return {
    name: 'transactions',
    filter: { ...filter, wallet },
    table: transaction,
    row,
    key: row.id,
    within: and(
      best,
      given(from, (moment) => gte(row.id, idAt(moment, -TRANSACTION_MAX_MS))),
      given(to, (moment) => lt(row.id, idAt(moment, TRANSACTION_MAX_MS))),
    ),
    withinOneOf: ways,
    matches: and(
      ...rest,
      ways === undefined ? given(status, (shown) => isOneOf(STORED_AS[shown])) : undefined,
      asked(filter),
      given(from, (moment) => gte(row.createdAt, moment)),
      given(to, (moment) => lt(row.createdAt, moment)),
    ),
  };
}

/**
 * The transactions of all partners and our own, declined ones too, newest first; each with what it did to the first wallet
 * that it moved, or of what was moved between a float and us, what it did to the float. `count` is of all that match.
 *
 * @param wallet the account of a wallet: those that it was to pay or to be paid by, of a status that is `Failed` or `Pending`
 */
export async function listTransactions(
  db: Executor,
  filter: TransactionFilter,
  page: PageRequest<number>,
  wallet?: number,
): Promise<Listed<TransactionWithEntry, number>> {
  return pageOfWalk(db, walkOf(filter, wallet), page, {
    rows: (keys) => selectShown(db, keys),
    keyOf: (one) => one.transaction.id,
  });
}

const hidden = sql.raw(HIDDEN_TYPES.map((type) => `'${type}'`).join(', '));

/** One row of each transaction: limited, so that it is looked up for each of the page, and the entries are not read whole. */
const shownOf = (db: Executor) =>
  db
    .select()
    .from(entry)
    .where(
      and(
        eq(entry.transactionId, transaction.id),
        sql`${entry.leg} = (select min(e.leg) from ${entry} e join ${account} a on a.id = e.account_id
          where e.transaction_id = ${transaction.id}
            and (a.kind in ('WALLET', 'APPLICATION') or a.kind = 'FLOAT' and ${transaction.type} in (${hidden})))`,
      ),
    )
    .limit(1)
    .as('entry');

const selectShown = (db: Executor, keys: SQL) =>
  db
    .select()
    .from(transaction)
    .leftJoinLateral(shownOf(db), sql`true`)
    .where(sql`${transaction.id} in (${keys})`)
    .orderBy(desc(transaction.id));
