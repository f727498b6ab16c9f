import { and, desc, eq, gte, isNotNull, lt, lte, ne, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { ALL_PARTNERS, systemAccount, transaction } from '#modules/ledger';
import { split, terminal } from '#modules/terminals';
import { partnerWallet, routedWallet, verified } from '#modules/wallets';
import { account, message, payment } from './tables.ts';

export type MessageRow = typeof message.$inferSelect;

/** Stores a message, unless it is there: provider, origin, digest, sealed bytes, and now. */
export const insertMessage = preparedText<{ id: string }>(
  'inbox.insert',
  `insert into inbox.message (provider, origin, digest, body_sealed, due_at, received_at, updated_at)
    values ($1, $2, $3::bytea, $4::bytea, $5::timestamptz, $5::timestamptz, $5::timestamptz)
    on conflict (provider, digest) do nothing returning id`,
  { writes: true },
);

/** A message that a worker is to book. */
export interface ClaimedMessage {
  id: string;
  provider: string;
  digest: Buffer;
  bodySealed: Buffer | null;
  attempts: number;
}

/** Claims due messages: now, the end of the lease, and the most to claim. */
export const claimDueMessages = preparedText<ClaimedMessage>(
  'inbox.claim-due',
  `update inbox.message m set attempts = m.attempts + 1, due_at = $2, updated_at = $1
    where m.id = any (array(
      select d.id from inbox.message d where d.due_at <= $1 order by d.due_at limit $3 for update skip locked))
    returning m.id, m.provider, m.digest, m.body_sealed as "bodySealed", m.attempts`,
  { writes: true },
);

/**
 * Changes a message, unless it is BOOKED. A DISMISSED one only becomes BOOKED or RECEIVED.
 */
export async function updateMessage(db: Executor, id: string, change: Partial<MessageRow>): Promise<void> {
  const reopens = change.state === 'BOOKED' || change.state === 'RECEIVED';
  const closed = reopens ? (['BOOKED'] as const) : (['BOOKED', 'DISMISSED'] as const);
  await changeUnless(db, change, { id, closed });
}

const changeUnless = preparedColumns(
  'inbox.change',
  message,
  (db, written: Written<Partial<MessageRow>>, given: Given<{ id: string; closed: readonly MessageRow['state'][] }>) =>
    db
      .update(message)
      .set(written)
      .where(and(eq(message.id, given.id), sql`${message.state} <> all(${given.closed})`)),
);

/** A message of any provider. */
export const selectById = preparedOne('inbox.by-id', (db, given: Given<{ id: string }>) =>
  db.select().from(message).where(eq(message.id, given.id)),
);

/** A message, locked until this transaction ends. */
export const lockMessage = preparedOne('inbox.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(message).where(eq(message.id, given.id)).for('no key update'),
);

/** Messages that are in the books as this transaction, and can still be read. */
export const selectBooked = prepared('inbox.booked', (db, given: Given<{ transactionId: number }>) =>
  db
    .select()
    .from(message)
    .where(
      and(eq(message.transactionId, given.transactionId), eq(message.state, 'BOOKED'), isNotNull(message.bodySealed)),
    ),
);

export interface MessageFilter {
  provider?: string | undefined;
  state?: MessageRow['state'] | undefined;
  kind?: NonNullable<MessageRow['kind']> | undefined;
  /** The reference of the transfer or payment. */
  reference?: string | undefined;
  /** Received at or after `from`, and at or before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const listed = alias(message, 'm');

/** Messages of all providers, newest first. */
export async function selectMatching(
  db: Executor,
  filter: MessageFilter,
  page: PageRequest<string>,
): Promise<Listed<MessageRow, string>> {
  const { provider, state, kind, reference, from, to } = filter;
  const row = listed;
  const matches = and(
    provider === undefined ? undefined : eq(row.provider, provider),
    state === undefined ? undefined : eq(row.state, state),
    kind === undefined ? undefined : eq(row.kind, kind),
    from === undefined ? undefined : gte(row.receivedAt, from),
    to === undefined ? undefined : lte(row.receivedAt, to),
  );
  // Open messages have an index.
  const isOpen = state === 'RECEIVED' || state === 'DIFFERENT';
  const ofState = isOpen ? sql`${row.state} in ('RECEIVED', 'DIFFERENT')` : undefined;
  const within = reference === undefined ? ofState : eq(row.reference, reference);
  const walk = { name: 'inbox', filter, table: message, row, key: row.id, within, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(message).where(sql`${message.id} in (${keys})`).orderBy(desc(message.id)),
    keyOf: ({ id }) => id,
  });
}

/** A message by its bytes. */
export const selectByDigest = preparedOne('inbox.by-digest', (db, given: Given<{ provider: string; digest: Buffer }>) =>
  db
    .select()
    .from(message)
    .where(and(eq(message.provider, given.provider), eq(message.digest, given.digest))),
);

/** Stores a rail's report of a payment. */
export const insertPayment = preparedColumns(
  'payments.add',
  payment,
  (db, written: Written<typeof payment.$inferInsert>) => db.insert(payment).values(written),
);

/** The senders of these transactions; those without a report are left out. */
type OfTransactions = Given<{ transactionIds: readonly number[] }>;

const isOf = ({ transactionIds }: OfTransactions) => sql`${payment.transactionId} = any(${transactionIds})`;

export const selectSenders = prepared('payments.senders', (db, given: OfTransactions) => {
  const { transactionId, senderName, senderPaytag } = payment;
  return db.select({ transactionId, senderName, senderPaytag }).from(payment).where(isOf(given));
});

/** The rails' reports of these transactions; those without a report are left out. */
export const selectReports = prepared('payments.reports', (db, given: OfTransactions) =>
  db
    .select({ payment, terminal: terminal.serialNumber, split: split.reference })
    .from(payment)
    .leftJoin(terminal, eq(terminal.id, payment.terminalId))
    .leftJoin(split, eq(split.id, payment.splitId))
    .where(isOf(given)),
);

/** These transactions with their reports; those without a report are left out. */
export const selectPayments = prepared('payments.of-transactions', (db, given: OfTransactions) =>
  db
    .select({ transaction, payment })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isOf(given))
    .orderBy(transaction.id),
);

/** Locks a report of a partner by its reference until this transaction ends. */
export async function lockReport(tx: Tx, partnerId: string, reference: string): Promise<void> {
  const name = `payments.report:${partnerId}:${reference}`;
  await lockName(tx, [name]);
}

const lockName = preparedText('payments.lock-report', 'select pg_advisory_xact_lock(hashtextextended($1, 0))', {
  writes: true,
});

/** A transfer that was booked. */
export interface FoundInbound {
  id: number;
  /** Minor units. */
  amount: bigint;
  /** The rail's account. */
  sourceId: number | null;
  /** The wallet's account. */
  destinationId: number | null;
}

/** An inbound transfer by our reference. */
export const selectInbound = preparedOne('payments.inbound', (db, given: Given<{ reference: string }>) =>
  db
    .select({
      id: transaction.id,
      amount: transaction.amount,
      sourceId: transaction.sourceId,
      destinationId: transaction.destinationId,
    })
    .from(transaction)
    .where(
      and(
        eq(transaction.ownerId, ALL_PARTNERS),
        eq(transaction.namer, 'RAIL'),
        eq(transaction.reference, given.reference),
        ne(transaction.status, 'Failed'),
      ),
    ),
);

/** Inbound transfers that providers collected between two moments: the provider's reference and the amount. */
export const selectCollectedBetween = prepared(
  'payments.collected-between',
  (db, given: Given<{ from: Date; until: Date }>) =>
    db
      .select({ reference: transaction.externalReference, amount: transaction.amount })
      .from(transaction)
      .where(
        and(
          eq(transaction.sourceId, systemAccount('CLEARING_COLLECTION', 'NGN')),
          eq(transaction.type, 'INBOUND'),
          gte(transaction.createdAt, given.from),
          lt(transaction.createdAt, given.until),
          ne(transaction.status, 'Failed'),
        ),
      ),
);

/** The namers that have given these references for this partner. */
export const selectNamers = prepared(
  'payments.namers',
  (db, given: Given<{ partnerId: string; references: readonly string[] }>) =>
    db
      .select({ namer: transaction.namer, reference: transaction.reference })
      .from(transaction)
      .where(and(eq(transaction.ownerId, given.partnerId), sql`${transaction.reference} = any(${given.references})`)),
);

export type AccountRow = typeof account.$inferSelect;

/** The account of a wallet at a provider. */
export const selectAccount = preparedOne(
  'inbound-accounts.of-wallet-at',
  (db, given: Given<{ wallet: string; provider: string }>) =>
    db
      .select()
      .from(account)
      .where(and(eq(account.wallet, given.wallet), eq(account.provider, given.provider))),
);

/** The account numbers of a wallet, the oldest first. */
export const selectAssigned = prepared('inbound-accounts.of-wallet', (db, given: Given<{ wallet: string }>) =>
  db
    .select()
    .from(account)
    .where(and(eq(account.wallet, given.wallet), isNotNull(account.assignedAt)))
    .orderBy(account.id),
);

/** The wallet of an account number, by the number's index. */
export const selectWalletOf = verified(
  preparedOne('inbound-accounts.wallet-of-number', (db, given: Given<{ accountIndex: Buffer }>) =>
    db
      .select({ row: account, wallet: routedWallet })
      .from(account)
      .innerJoin(partnerWallet, eq(partnerWallet.reference, account.wallet))
      .where(eq(account.accountIndex, given.accountIndex)),
  ),
);

/** Claims the right to ask a provider for a wallet's account: wallet, partner, provider, now, and until when. */
export const claimAccount = preparedText<{ id: string }>(
  'inbound-accounts.claim',
  `insert into inbound_accounts.account as a (wallet, partner_id, provider, created_at, leased_until) values ($1, $2, $3, $4, $5)
    on conflict (wallet, provider) do update set leased_until = excluded.leased_until
      where a.assigned_at is null and a.leased_until <= excluded.created_at
    returning a.id`,
  { writes: true },
);

/** Writes and audits an assigned account. No row comes back when the wallet has one, or another wallet has the number. */
export const completeAccount = preparedText<{ id: string }>(
  'inbound-accounts.complete',
  'select id from inbound_accounts.assign($1, $2, $3, $4, $5, $6, $7, $8, $9) id where id is not null',
  { writes: true },
);

/** Ends the lease early, after the provider gave no answer. */
export const releaseAccount = preparedText<{ id: string }>(
  'inbound-accounts.release',
  `update inbound_accounts.account set leased_until = $3 where wallet = $1 and provider = $2 and assigned_at is null returning id`,
  { writes: true },
);
