import { asMinor, type Posting } from '#modules/ledger';

/** A posting of `amount` minor units from one account to another; a negative amount goes the other way. */
export function postingBetween(
  from: number,
  to: number,
  amount: bigint,
  given: Pick<Posting, 'owner' | 'reference'> & Partial<Posting>,
): Posting {
  const [source, destination] = amount > 0n ? [from, to] : [to, from];
  return {
    namer: 'PARTNER',
    type: amount > 0n ? 'PARTNER_WALLET_CREDIT' : 'PARTNER_WALLET_DEBIT',
    amount: asMinor(amount > 0n ? amount : -amount),
    currency: 'NGN',
    source,
    destination,
    legs: [
      { account: from, amount: asMinor(-amount) },
      { account: to, amount: asMinor(amount) },
    ],
    ...given,
  };
}
