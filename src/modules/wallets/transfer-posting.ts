import { sha256 } from '#lib/crypto/digest.ts';
import { normalPayTag } from '#modules/customers';
import {
  asMinor,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type Posting,
  type Request,
  systemAccount,
} from '#modules/ledger';
import { type DailyLimits, limitOfTier } from './daily-limit.ts';
import type { Tier } from './tables.ts';

/** What a transfer costs, and how much may be spent in a day. */
export interface TransferRules {
  fees: { transfer: Charge; stampDuty: Charge };
  dailyLimits: DailyLimits;
}

export interface TransferRequest {
  /** Of the sender. */
  partnerId: string;
  customerId: string;
  /** The payee's. */
  paytag: string;
  amount: Minor;
  /** The customer's own name for this transfer, unique for ever among theirs. */
  reference: string;
  comment?: string | undefined;
}

/** The ledger accounts between which a transfer moves money. */
export interface TransferAccounts {
  sender: number;
  receiver: number;
  senderTier: Tier;
}

/** 128 bits of a digest: no two references collide, and it gives away neither the customer nor their reference. */
const REFERENCE_HEX_DIGITS = 32;

/** Our reference of a customer's transfer: the same whenever the customer gives the same reference. */
export const transferReference = (customerId: string, theirs: string): string =>
  `TRF-${sha256(JSON.stringify([customerId, theirs]))
    .toString('hex')
    .slice(0, REFERENCE_HEX_DIGITS)}`;

/** What a customer asks for: the partner is part of it, since it says which of their wallets pays. */
export function requestOf({ partnerId, customerId, paytag, amount, reference, comment }: TransferRequest): Request {
  return {
    owner: customerId,
    namer: 'CUSTOMER',
    reference: transferReference(customerId, reference),
    type: 'TRANSFER',
    amount,
    externalReference: reference,
    comment,
    request: { type: 'TRANSFER', partner: partnerId, paytag: normalPayTag(paytag), amount, comment },
  };
}

/**
 * The posting of a transfer in naira: the sender bears the fee on top, and both count against the sender's daily limit;
 * stamp duty is taken from what arrives.
 */
export function transferPosting(
  asked: TransferRequest,
  { sender, receiver, senderTier }: TransferAccounts,
  { fees, dailyLimits }: TransferRules,
): Posting {
  const { amount } = asked;
  const fee = chargeOn(amount, fees.transfer);
  const stampDuty = chargeOn(amount, fees.stampDuty);
  const legs: Leg[] = [
    { account: sender, amount: negated(asMinor(amount + fee)), fee },
    { account: receiver, amount: asMinor(amount - stampDuty), fee: stampDuty },
    { account: systemAccount('FEE', 'NGN'), amount: fee },
    { account: systemAccount('STAMP_DUTY', 'NGN'), amount: stampDuty },
  ];
  return {
    ...requestOf(asked),
    partner: asked.partnerId,
    fee,
    stampDuty,
    currency: 'NGN',
    source: sender,
    destination: receiver,
    legs: legs.filter((leg) => leg.amount !== 0n),
    limitAccount: sender,
    defaultDailyLimit: limitOfTier(senderTier, dailyLimits),
    predecidedRefusal: stampDuty < amount ? undefined : 'AMOUNT_TOO_SMALL',
  };
}
