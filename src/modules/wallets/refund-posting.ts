import {
  asMinor,
  type Minor,
  negated,
  type Posting,
  type SeenTransaction,
  systemAccount,
  type TransactionType,
} from '#modules/ledger';

type Original = SeenTransaction['transaction'];

export interface Refund {
  /** Whose names `reference` is unique among. */
  owner: string;
  /** In whose book the refund stands. */
  partner: string;
  reference: string;
  /** Absent: all that is left of the original. */
  amount?: Minor | undefined;
  comment?: string | undefined;
}

/**
 * The posting that gives back what a transaction moved, from where it went to where it came from: its fees are not given
 * back. A wallet that takes nothing in now gets it later. The refund of a type that is not `refundable` is refused, and
 * its reference says so for ever.
 */
export function refundPosting(
  original: Original,
  { owner, partner, reference, amount: asked, comment }: Refund,
  refundable: ReadonlySet<TransactionType>,
): Posting {
  const { id, sourceId, destinationId, currency } = original;
  if (sourceId === null || destinationId === null) throw new Error(`transaction ${id} has no way back`);
  const amount = asked ?? whatIsLeft(original);
  return {
    owner,
    reference,
    partner,
    type: 'PARTNER_REFUND',
    amount,
    currency,
    source: destinationId,
    destination: sourceId,
    externalReference: original.reference,
    comment,
    legs: [
      { account: destinationId, amount: negated(amount) },
      { account: sourceId, amount },
    ],
    original: id,
    ...(asked === undefined ? { refundsRemainder: true } : {}),
    suspenseAccount: systemAccount('SUSPENSE', currency),
    predecidedRefusal: refundable.has(original.type) ? undefined : 'TRANSACTION_NOT_REFUNDABLE',
    request: { refundOf: id, amount: asked ?? 'all', comment },
  };
}

/** Of a transaction that is given back already, the whole, so that the ledger refuses it. */
const whatIsLeft = ({ amount, refunded }: Original): Minor => asMinor(refunded < amount ? amount - refunded : amount);
