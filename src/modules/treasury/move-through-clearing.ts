import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  type Account,
  assertPosted,
  balancesOf,
  type Currency,
  type Minor,
  negated,
  type Poster,
  systemAccount,
} from '#modules/ledger';

/** Money that the operator has received for an account, or has paid out of it. */
export interface Movement {
  actor: string;
  amount: Minor;
  currency: Currency;
  /** Unique among the operator's references for the account's owner, for ever. */
  reference: string;
  reason?: string | undefined;
}

interface Moved {
  account: Account['id'];
  /** The partner or application whose account it is. */
  owner: string;
  partner?: string;
  type: 'FLOAT_FUNDING' | 'FLOAT_SETTLEMENT' | 'APPLICATION_FUNDING' | 'APPLICATION_SETTLEMENT';
  direction: 'in' | 'out';
  /** What the audit log calls it. */
  action: string;
}

/**
 * Posts a movement between the operator's clearing account and somebody's account. Audited.
 *
 * @returns the account's new balance, minor units; on a repeated reference, the balance it gave then
 * @throws DomainError REFERENCE_REUSED, BALANCE_EXCEEDED, INSUFFICIENT_FUNDS
 */
export async function moveThroughClearing(
  { transact, poster }: { transact: Transact; poster: Poster },
  { actor, amount, currency, reference, reason }: Movement,
  { account, owner, partner, type, direction, action }: Moved,
): Promise<Minor> {
  const clearing = systemAccount('CLEARING', currency);
  const [source, destination] = direction === 'in' ? [clearing, account] : [account, clearing];
  const result = await transact(async (tx) => {
    const tried = await poster.tryPost(tx, {
      owner,
      namer: 'OPERATOR',
      reference,
      partner,
      type,
      amount,
      currency,
      source,
      destination,
      legs: [
        { account: source, amount: negated(amount) },
        { account: destination, amount },
      ],
      request: { type, amount, currency },
    });
    if (!('refusal' in tried) && !tried.replayed) {
      const { opening, closing } = balancesOf(tried, account);
      const before = { currency, balance: String(opening) };
      const after = { currency, balance: String(closing), reference };
      await recordChange(tx, { actor, action, target: owner, before, after, reason });
    }
    return tried;
  });
  return balancesOf(assertPosted(result), account).closing;
}
