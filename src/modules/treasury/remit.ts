import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import {
  ALL_PARTNERS,
  asMinor,
  assertPosted,
  type Currency,
  lockOwnBalance,
  type Minor,
  negated,
  type Poster,
  systemAccount,
} from '#modules/ledger';

/** What we have earned, and the duty that is owed to the state. */
export const remittable = ['FEE', 'COMMISSION', 'STAMP_DUTY'] as const;

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
 * Takes what was paid out from one of our own accounts, never more than is in it. Audited.
 *
 * @throws DomainError INSUFFICIENT_FUNDS, REFERENCE_REUSED
 */
export async function remit(
  { transact, poster }: { transact: Transact; poster: Poster },
  { actor, account, currency, amount, reference, reason }: Remittance,
): Promise<void> {
  const [source, destination] = [systemAccount(account, currency), systemAccount('CLEARING', currency)];
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
      legs: [
        { account: source, amount: negated(amount) },
        { account: destination, amount },
      ],
      predecidedRefusal: amount > balance ? 'INSUFFICIENT_FUNDS' : undefined,
      request: { type, account, amount, currency },
    });
    if (!('refusal' in tried) && !tried.replayed) {
      const before = { currency, balance: String(balance) };
      const after = { currency, balance: String(asMinor(balance - amount)), reference };
      await recordChange(tx, { actor, action: 'account.remit', target: account, before, after, reason });
    }
    return tried;
  });
  assertPosted(result);
}
