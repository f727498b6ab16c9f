import {
  asMinor,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Posting,
  systemAccount,
} from '#modules/ledger';
import type { TagTransaction } from './tag-transaction.ts';

/** The reference of a transaction's hold and posting in the ledger. */
export const bookReference = (id: string): string => `SWT-${id}`;

const BOOKED = /^SWT-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The transaction of which a reference in the ledger is; undefined of any other reference. */
export const bookedAs = (reference: string): string | undefined => BOOKED.exec(reference)?.[1];

type Offer = Pick<TagTransaction, 'id' | 'reference' | 'senderAppId' | 'amount' | 'fee' | 'currency' | 'narration'>;

/** The ids of the ledger's accounts. */
export interface Accounts {
  sender: number;
  receiver: number;
}

/**
 * The posting that settles a transaction: the sender pays the fee on top. Between tags of one application only the fee
 * moves; without a fee there are no legs.
 *
 * @param stampDuty what is taken from what arrives
 */
export function settlementPosting(
  { id, reference, senderAppId, amount, fee, currency, narration }: Offer,
  { sender, receiver }: Accounts,
  stampDuty: Minor = asMinor(0n),
): Posting {
  const isOneWallet = sender === receiver;
  const legs: Leg[] = [
    { account: sender, amount: negated(isOneWallet ? fee : asMinor(amount + fee)), fee },
    { account: receiver, amount: isOneWallet ? asMinor(0n) : asMinor(amount - stampDuty), fee: stampDuty },
    { account: systemAccount('FEE', currency), amount: fee },
    { account: systemAccount('STAMP_DUTY', currency), amount: stampDuty },
  ];
  return {
    owner: senderAppId,
    namer: 'APPLICATION',
    reference: bookReference(id),
    type: 'SWITCH',
    amount,
    fee,
    stampDuty,
    currency,
    source: sender,
    destination: receiver,
    externalReference: reference,
    comment: narration,
    legs: legs.filter((leg) => leg.amount !== 0n),
    request: { type: 'SWITCH', transaction: id },
  };
}

/** The posting that pays a PayTag at once, out of the sender's wallet: stamp duty is taken from what arrives. */
export function payTagPosting(offer: Offer, accounts: Accounts, fees: { stampDuty: Charge }): Posting {
  const stampDuty = chargeOn(offer.amount, fees.stampDuty);
  const posting = settlementPosting(offer, accounts, stampDuty);
  return stampDuty < offer.amount ? posting : { ...posting, predecidedRefusal: 'AMOUNT_TOO_SMALL' };
}
