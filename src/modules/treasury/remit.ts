import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  ALL_PARTNERS,
  asMinor,
  assertPosted,
  type Currency,
  listTransactions,
  lockOwnBalance,
  type Minor,
  negated,
  ownKindOf,
  type Poster,
  systemAccount,
  type TransactionFilter,
} from '#modules/ledger';

/** The rails' clearing accounts: their debt to us, as negative balances, until they pay our bank. */
export const rails = ['CLEARING_GATEWAY', 'CLEARING_TERMINAL', 'CLEARING_INBOUND', 'CLEARING_COLLECTION'] as const;

/** Our income, the duty owed to the state, payouts by a provider, and the rails. */
export const remittable = ['FEE', 'COMMISSION', 'STAMP_DUTY', 'CLEARING_PAYOUT', ...rails] as const;

/** More than any amount. */
const UNBOUNDED = 1n << 62n;

export interface Remittance {
  actor: string;
  account: (typeof remittable)[number];
  currency: Currency;
  amount: Minor;
  /** Unique among the operator's references, for ever. */
  reference: string;
  reason: string;
}

/**
 * Books a payment by our bank out of income or duty, never more than the balance; or a payment of a rail to our bank, never more
 * than its debt. A provider of payouts may be paid in advance. Audited.
 *
 * @throws DomainError INSUFFICIENT_FUNDS, REFERENCE_REUSED
 */
export async function remit(
  { transact, poster }: { transact: Transact; poster: Poster },
  { actor, account, currency, amount, reference, reason }: Remittance,
): Promise<void> {
  const [own, bank] = [systemAccount(account, currency), systemAccount('CLEARING', currency)];
  const isRail = isOfRail(account);
  const [source, destination] = isRail ? [bank, own] : [own, bank];
  const type = 'REMITTANCE';
  const result = await transact(async (tx) => {
    const balance = await lockOwnBalance(tx, account, currency);
    const tried = await poster.tryPost(tx, {
      owner: ALL_PARTNERS,
      namer: 'OPERATOR',
      reference,
      type,
      amount,
      currency,
      source,
      destination,
      comment: reason,
      legs: [
        { account: source, amount: negated(amount) },
        { account: destination, amount },
      ],
      predecidedRefusal: amount > mostRemittable(account, balance) ? 'INSUFFICIENT_FUNDS' : undefined,
      request: { type, account, amount, currency },
    });
    if (!('refusal' in tried) && !tried.replayed) {
      const before = { currency, balance: String(balance) };
      const after = { currency, balance: String(isRail ? balance + amount : balance - amount), reference };
      await recordChange(tx, { actor, action: 'account.remit', target: account, before, after, reason });
    }
    return tried;
  });
  assertPosted(result);
}

const isOfRail = (account: Remittance['account']): boolean => rails.some((rail) => rail === account);

/** The most that may be remitted of an account. */
function mostRemittable(account: Remittance['account'], balance: Minor): bigint {
  if (account === 'CLEARING_PAYOUT') return UNBOUNDED;
  return isOfRail(account) ? negated(balance) : balance;
}

export interface Remitted extends Pick<Remittance, 'account' | 'reference'> {
  amount: Minor;
  currency: Currency;
  /** Undefined for old remittances, whose reason is in the audit log alone. */
  reason: string | undefined;
  createdAt: Date;
}

/** Remittances, newest first. */
export async function listRemittances(
  db: Executor,
  {
    limit,
    offset,
    cursor,
    isUncounted,
    ...filter
  }: Pick<TransactionFilter, 'currency' | 'from' | 'to'> & PageRequest<number>,
): Promise<Listed<Remitted, number>> {
  const page = { limit, offset, cursor, isUncounted };
  const found = await listTransactions(db, { ...filter, type: 'REMITTANCE', status: 'Successful' }, page);
  return {
    ...found,
    items: found.items.map(
      ({ transaction: { sourceId, destinationId, amount, currency, reference, comment, createdAt } }) => {
        const kinds = [sourceId, destinationId].map(ownKindOf);
        const account = remittable.find((one) => kinds.includes(one));
        if (account === undefined) throw new Error(`remittance ${reference} is of no account of ours`);
        return { account, amount: asMinor(amount), currency, reference, reason: comment ?? undefined, createdAt };
      },
    ),
  };
}
