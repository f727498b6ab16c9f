import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  ALL_PARTNERS,
  assertPosted,
  type Currency,
  lockOwnBalance,
  type Minor,
  negated,
  type Poster,
  systemAccount,
} from '#modules/ledger';

/** What the rails have taken in for us, and owe us until they have paid it to our bank: as much as they are below zero. */
export const rails = ['CLEARING_GATEWAY', 'CLEARING_TERMINAL', 'CLEARING_INBOUND', 'CLEARING_COLLECTION'] as const;

/** What we have earned, and the duty that is owed to the state; what a provider pays out for us; and the rails. */
export const remittable = ['FEE', 'COMMISSION', 'STAMP_DUTY', 'CLEARING_PAYOUT', ...rails] as const;

/** More than any amount. */
const UNBOUNDED = 1n << 62n;

export interface Remittance {
  actor: string;
  account: (typeof remittable)[number];
  currency: Currency;
  amount: Minor;
  /** Unique among the operator's references that are one for all, for ever. */
  reference: string;
  reason: string;
}

/**
 * Takes what our bank paid out from the account of what we have earned or owe, never more than is in it; of a rail, takes
 * what it paid to our bank from what it owes us, never more than that. A provider of payouts may be paid in advance. Audited.
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
      predecidedRefusal: amount > mostOf(account, balance) ? 'INSUFFICIENT_FUNDS' : undefined,
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

/** How much may be remitted of an account at most. */
function mostOf(account: Remittance['account'], balance: Minor): bigint {
  if (account === 'CLEARING_PAYOUT') return UNBOUNDED;
  return isOfRail(account) ? negated(balance) : balance;
}
