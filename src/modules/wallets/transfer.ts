import type { Pool } from 'pg';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, readRow } from '#lib/crypto/routing-facts.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { assertPayee, normalPayTag } from '#modules/customers';
import {
  asMinor,
  assertPosted,
  type Charge,
  chargeOn,
  countPosting,
  createPostingCall,
  type Leg,
  type Minor,
  negated,
  type Posted,
  type Poster,
  type Posting,
  type Request,
  systemAccount,
} from '#modules/ledger';
import { type DailyLimits, limitOfTier, walletNotFound } from './find-wallets.ts';
import { selectTransferParties } from './store.ts';
import type { Tier } from './tables.ts';
import { walletRoute } from './wallet-route.ts';
import { answerAsBefore, readAsPosted, transactionOf, type WalletTransaction } from './wallet-transaction.ts';

/** Moves money from one customer to another. */
export interface Transfers {
  /**
   * Posts as `Poster.post` does, and records in the same database transaction whom the posting's owner has paid. Concurrent transfers share
   * it.
   *
   * @throws DomainError with the code of the refusal; BUSY when too many are queued
   */
  make(posting: Posting, payeeId: string): Promise<Posted>;
}

/** @param committed called after each commit, which has events */
export function createTransfers(
  pool: Pool,
  poster: Pick<Poster, 'json'>,
  committed: () => void,
  metrics: Meter = noMeter,
): Transfers {
  const call = createPostingCall(pool, { name: 'wallets.transfer', poolShare: 0.5, committed, metrics });
  return {
    async make(posting, payeeId) {
      const member = `{"payee":${JSON.stringify(payeeId)},"posting":${poster.json(posting)}}`;
      const result = await call(posting.partner ?? posting.owner, member);
      countPosting(metrics, posting, result);
      return assertPosted(result);
    },
  };
}

/**
 * Pays the customer who has a PayTag, into their primary wallet, out of another customer's wallet. Whom they paid is
 * recorded with it.
 *
 * @throws DomainError PAYTAG_NOT_FOUND, PAYTAG_SUSPENDED, SELF_TRANSFER, WALLET_NOT_FOUND, AMOUNT_TOO_SMALL,
 *   REFERENCE_REUSED, and the ledger's refusals
 */
export async function transfer(
  { db, keyring, transfers, ...rules }: { db: Database; keyring: Keyring; transfers: Transfers } & TransferRules,
  request: TransferRequest,
): Promise<WalletTransaction> {
  const { partnerId } = request;
  const parties = await partiesOf(db, keyring, request);
  if (parties instanceof DomainError) return answerAsBefore(db, partnerId, requestOf(request), parties);

  const { payee, accounts } = parties;
  const posting = transferPosting(request, accounts, rules);
  const decided = payee.isSuspended ? { ...posting, predecidedRefusal: 'PAYTAG_SUSPENDED' as const } : posting;
  const posted = await transfers.make(decided, payee.customerId);
  if (posted.replayed) return readAsPosted(db, partnerId, posted);
  return transactionOf(posted, posting, accounts.sender);
}

/** Payer and payee, or why there is none. */
async function partiesOf(db: Database, keyring: Keyring, { partnerId, customerId, paytag }: TransferRequest) {
  const found = await selectTransferParties(db, { partnerId, customerId, handle: normalPayTag(paytag) });
  if (found === undefined || found.sender === null || found.senderTier === null) return walletNotFound();
  const { sender, senderTier, payee, receiver, isSuspended } = found;
  assertAuthentic(keyring, walletRoute, readRow(found.senderRoute));
  if (payee === null || receiver === null) return new DomainError('PAYTAG_NOT_FOUND', 'no customer has this PayTag');
  if (payee === customerId) return new DomainError('SELF_TRANSFER', 'paytag: this is the customer’s own PayTag');
  assertPayee(keyring, found.payeeRows);
  assertAuthentic(keyring, walletRoute, readRow(found.receiverRoute));
  return {
    payee: { customerId: payee, isSuspended: isSuspended === true },
    accounts: { sender, receiver, senderTier },
  };
}

/** The charges of a transfer, and the daily limits. */
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

/** 128 bits of a digest: references do not collide, and reveal neither the customer nor their reference. */
const REFERENCE_HEX_DIGITS = 32;

/** Our reference of a customer's transfer: the same whenever the customer gives the same reference. */
export const transferReference = (customerId: string, theirs: string): string =>
  `TRF-${sha256(JSON.stringify([customerId, theirs]))
    .toString('hex')
    .slice(0, REFERENCE_HEX_DIGITS)}`;

/** What a customer asks for: the partner is part of it, since it says which of their wallets pays. */
function requestOf({ partnerId, customerId, paytag, amount, reference, comment }: TransferRequest): Request {
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
 * stamp duty is taken from the amount that arrives.
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
