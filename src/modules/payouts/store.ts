import { and, desc, eq, gte, inArray, isNotNull, lt, lte, or, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { callers } from '#lib/security-events.ts';
import { transaction } from '#modules/ledger';
import type { PayoutState } from './payout-state.ts';
import { linkedAccount, payout } from './tables.ts';

export type PayoutRow = typeof payout.$inferSelect;

/**
 * Claims due payouts for the length of the lease. A PENDING one is not sent before `recordSent` has recorded it.
 *
 * @param isSending false: leaves PENDING payouts
 * @returns the claimed payouts, with the number of this attempt
 */
export async function claimDuePayouts(
  db: Executor,
  { now, until, limit, isSending }: { now: Date; until: Date; limit: number; isSending: boolean },
): Promise<PayoutRow[]> {
  const due = await selectDue(db, [now, until, limit, isSending]);
  if (due.length === 0) return [];
  const claims = new Map(due.map(({ id, ...claim }) => [id, claim]));
  const rows = await byIds(db, { ids: [...claims.keys()] });
  return rows.map((row) => ({ ...row, ...claims.get(row.id) }));
}

const selectDue = preparedText<Pick<PayoutRow, 'id' | 'state' | 'attempts'>>(
  'payouts.claim-due',
  `update payouts.payout p set attempts = p.attempts + 1, due_at = $2, updated_at = $1
    where p.id = any (array(
      select d.id from payouts.payout d where d.due_at <= $1 and ($4::boolean or d.state <> 'PENDING')
      order by d.due_at limit $3 for update skip locked))
    returning p.id, p.state, p.attempts`,
  { writes: true },
);

const record = preparedText<{ id: string }>(
  'payouts.record-sent',
  `update payouts.payout set state = 'SENT', sent_at = $3, provider = $4, due_at = $5, updated_at = $3
    where id = $1 and state = 'PENDING' and attempts = $2 returning id`,
  { writes: true },
);

/**
 * Records a payout as sent, just before it is: the next worker to claim it only polls.
 *
 * @returns false if it must not be sent: another worker has claimed it since, or its outcome is known
 */
export async function recordSent(
  db: Executor,
  { id, attempts }: Pick<PayoutRow, 'id' | 'attempts'>,
  { now, until, provider }: { now: Date; until: Date; provider: string },
): Promise<boolean> {
  return (await record(db, [id, attempts, now, provider, until])).length > 0;
}

const byIds = prepared('payouts.by-ids', (db, given: Given<{ ids: readonly string[] }>) =>
  db.select().from(payout).where(sql`${payout.id} = any(${given.ids})`).orderBy(payout.id),
);

/** A payout, locked until this transaction ends: before its transaction is. */
export const lockPayout = preparedOne('payouts.lock', (db, given: Given<{ providerReference: string }>) =>
  db.select().from(payout).where(eq(payout.providerReference, given.providerReference)).for('no key update'),
);

export const updatePayout = preparedColumns(
  'payouts.change',
  payout,
  (db, written: Written<Partial<PayoutRow>>, given: Given<{ id: string }>) =>
    db.update(payout).set(written).where(eq(payout.id, given.id)),
);

/** A payout with its transaction. */
export interface PayoutParts {
  row: PayoutRow;
  transaction: typeof transaction.$inferSelect;
}

const selectParts = (db: Executor) =>
  db.select({ row: payout, transaction }).from(payout).innerJoin(transaction, eq(transaction.id, payout.transactionId));

/** A payout of any partner. */
export const selectById = preparedOne('payouts.by-id', (db, given: Given<{ id: string }>) =>
  selectParts(db).where(eq(payout.id, given.id)),
);

/** The payout of a transaction. */
export const selectByTransaction = preparedOne('payouts.by-transaction', (db, given: Given<{ id: number }>) =>
  selectParts(db).where(eq(payout.transactionId, given.id)),
);

/** The payee of each of these transactions that is a payout, its correction, or the reversal of either. */
export const selectPayees = preparedText<
  { transactionId: string } & Pick<
    PayoutRow,
    | 'bankCode'
    | 'bankName'
    | 'accountNumberSealed'
    | 'accountNameSealed'
    | 'accountIndex'
    | 'providerReference'
    | 'wallet'
    | 'partnerId'
  > & { amount: string }
>(
  'payouts.payees',
  `with named as (
      select t.id, o.id as of from ledger.transaction t cross join lateral (values (t.id), (t.original_id)) o(id) where t.id = any($1::bigint[]))
    select n.id as "transactionId", p.bank_code as "bankCode", p.bank_name as "bankName",
        p.account_number_sealed as "accountNumberSealed", p.account_name_sealed as "accountNameSealed",
        p.account_index as "accountIndex", p.provider_reference as "providerReference", p.wallet, p.partner_id as "partnerId",
        p.amount
      from named n join lateral (
        select * from payouts.payout x where x.transaction_id = n.of
        union all select * from payouts.payout x where x.correction_id = n.of) p on true`,
);

/** A payout by our reference at the provider. */
export const selectByProviderReference = preparedOne(
  'payouts.by-provider-reference',
  (db, given: Given<{ providerReference: string }>) =>
    db.select().from(payout).where(eq(payout.providerReference, given.providerReference)),
);

/** A provider's oldest payout with an unknown outcome. */
export const selectOldestUnknown = preparedOne('payouts.oldest-unknown', (db, given: Given<{ provider: string }>) =>
  db
    .select({ id: payout.id, sentAt: payout.sentAt })
    .from(payout)
    .where(and(eq(payout.state, 'UNKNOWN'), eq(payout.provider, given.provider)))
    .orderBy(payout.id)
    .limit(1),
);

/** A payout with the status of its correction. */
export const selectWithCorrection = preparedOne(
  'payouts.with-correction',
  (db, given: Given<{ providerReference: string }>) =>
    db
      .select({ row: payout, correction: transaction.status })
      .from(payout)
      .leftJoin(transaction, eq(transaction.id, payout.correctionId))
      .where(eq(payout.providerReference, given.providerReference)),
);

/** The references whose payout has a correction in force. */
export const selectCorrected = preparedText<{ reference: string }>(
  'payouts.corrected',
  `select p.provider_reference as reference from payouts.payout p join ledger.transaction t on t.id = p.correction_id
    where p.provider_reference = any($1::text[]) and t.status <> 'Reversed'`,
);

/** Payouts sent to a provider between two moments that it may have paid. */
export const selectSentBetween = prepared(
  'payouts.sent-between',
  (db, given: Given<{ provider: string; from: Date; until: Date }>) =>
    db
      .select({ reference: payout.providerReference, amount: payout.amount })
      .from(payout)
      .where(
        and(
          eq(payout.provider, given.provider),
          gte(payout.sentAt, given.from),
          lt(payout.sentAt, given.until),
          or(inArray(payout.state, ['SENT', 'UNKNOWN', 'SUCCESSFUL', 'REVERSED']), isNotNull(payout.correctionId)),
        ),
      ),
);

export interface PayoutFilter {
  partnerId?: string | undefined;
  wallet?: string | undefined;
  state?: PayoutState | undefined;
  /** Only payouts with a contradiction. */
  contradicted?: boolean | undefined;
  /** Ordered at or after `from`, and at or before `to`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const listed = alias(payout, 'p');

/** Payouts of all partners, newest first. */
export async function selectMatching(
  db: Executor,
  filter: PayoutFilter,
  page: PageRequest<string>,
): Promise<Listed<PayoutParts, string>> {
  const { partnerId, wallet, state, contradicted = false, from, to } = filter;
  const row = listed;
  const ofState = state === undefined ? undefined : eq(row.state, state);
  const matches = and(
    partnerId === undefined ? undefined : eq(row.partnerId, partnerId),
    wallet === undefined && !contradicted ? undefined : ofState,
    wallet === undefined || !contradicted ? undefined : isNotNull(row.contradiction),
    from === undefined ? undefined : gte(row.createdAt, from),
    to === undefined ? undefined : lte(row.createdAt, to),
  );
  const orContradicted = contradicted ? isNotNull(row.contradiction) : ofState;
  const within = wallet === undefined ? orContradicted : eq(row.wallet, wallet);
  const walk = { name: 'payouts', filter, table: payout, row, key: row.id, within, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => selectParts(db).where(sql`${payout.id} in (${keys})`).orderBy(desc(payout.id)),
    keyOf: ({ row: { id } }) => id,
  });
}

export type LinkedAccountRow = typeof linkedAccount.$inferSelect;

export interface AccountHolder {
  partnerId: string;
  customerId: string;
}

/** The account that is linked now. */
export const selectLinked = preparedOne('bank-accounts.linked', (db, given: Given<AccountHolder>) =>
  db
    .select()
    .from(linkedAccount)
    .where(and(eq(linkedAccount.customerId, given.customerId), eq(linkedAccount.partnerId, given.partnerId))),
);

/** Links an account in place of the one before. Audited. The same account keeps the time at which it was first linked. */
export async function upsertLinked(db: Executor, row: LinkedAccountRow): Promise<LinkedAccountRow> {
  const { customerId, partnerId, bankCode, bankName, accountIndex, accountNumberSealed, accountNameSealed } = row;
  const values = [customerId, partnerId, bankCode, bankName, accountIndex, accountNumberSealed, accountNameSealed];
  const [stored] = await link(db, [...values, row.linkedAt, callers.getStore()?.requestId ?? null]);
  if (stored === undefined) throw new Error('a link returns its row');
  return { ...row, linkedAt: stored.linkedAt };
}

const link = preparedText<{ linkedAt: Date }>(
  'bank-accounts.link',
  'select bank_accounts.link($1, $2, $3, $4, $5, $6, $7, $8, $9) as "linkedAt"',
  { writes: true },
);
