import type { Tx } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import {
  asMinor,
  assertPosted,
  type Leg,
  type Minor,
  negated,
  type PendingReason,
  type Poster,
  type Posting,
  systemAccount,
} from '#modules/ledger';
import { readAsPosted, transactionOf, type WalletTransaction } from '#modules/wallets';
import type { Charges } from './charges.ts';
import { insertPayment } from './payment-store.ts';
import type { Report } from './report.ts';

/** Rails carry naira. */
export const CURRENCY = 'NGN';

/** The clearing account of each rail: what it owes us for what it has reported. */
const clearingOf = {
  PARTNER_GATEWAY: 'CLEARING_GATEWAY',
  PARTNER_TERMINAL: 'CLEARING_TERMINAL',
  INBOUND: 'CLEARING_INBOUND',
} as const;

type ClearingKind = (typeof clearingOf)[keyof typeof clearingOf] | 'CLEARING_COLLECTION';

/** Money that came in from outside, and where it goes. */
export interface Arrival extends Report {
  type: keyof typeof clearingOf;
  /** Of the rail that brought it, where the type is not enough to say. */
  clearing?: ClearingKind | undefined;
  /** `reference` is unique among the references that rails give for this owner. */
  owner: string;
  partner: string;
  externalReference?: string | undefined;
  charges: Charges;
  /** The account of a wallet or a float. */
  destination: number;
  terminal?: number | undefined;
  split?: number | undefined;
  /** Why the destination may not have it, as the caller has found: it waits in suspense. */
  pendingReason?: PendingReason | undefined;
  /** Where it went, as the report names it: a repeated report is recognised by this and by what it reports. */
  target: Record<string, string | undefined>;
}

/** What a report became. */
interface Received {
  transaction: WalletTransaction;
  /** False when it had been reported before. */
  isNew: boolean;
}

/**
 * Books money that came in, less the charges, and stores beside it who sent it and who reported it. What its destination
 * does not take waits in suspense.
 *
 * @param wallet the account of the wallet that it goes to, whose balances are shown
 * @throws DomainError REFERENCE_REUSED
 */
export async function receiveMoney(tx: Tx, poster: Poster, arrival: Arrival, wallet?: number): Promise<Received> {
  const { type, amount, charges, sender, comment, metadata } = arrival;
  const posting: Omit<Posting, 'request'> = {
    owner: arrival.owner,
    namer: 'RAIL',
    reference: arrival.reference,
    partner: arrival.partner,
    type,
    amount,
    fee: charges.fee,
    commission: charges.commission,
    stampDuty: charges.stampDuty,
    currency: CURRENCY,
    source: systemAccount(arrival.clearing ?? clearingOf[type], CURRENCY),
    destination: arrival.destination,
    externalReference: arrival.externalReference,
    comment,
    metadata,
    legs: legsOf(arrival),
    suspenseAccount: systemAccount('SUSPENSE', CURRENCY),
    arrived: true,
    pendingReason: arrival.pendingReason,
  };
  const known = { type, amount, target: arrival.target };
  const request = arrival.isKnownByTarget ? known : { ...known, sender, comment, metadata };
  const first = await poster.tryPost(tx, { ...posting, request });
  const isOther = 'refusal' in first && first.refusal === 'REFERENCE_REUSED';
  // Somebody else may have booked it before its rail reported it, who did not have the rail's words.
  const posted = assertPosted(isOther ? await poster.tryPost(tx, { ...posting, request: known }) : first);
  const transaction =
    posted.replayed || posted.status === 'Pending'
      ? await readAsPosted(tx, arrival.partner, posted)
      : transactionOf(posted, { ...arrival, currency: CURRENCY }, wallet);
  if (posted.replayed) return { transaction, isNew: false };
  await insertPayment(tx, {
    transactionId: posted.id,
    terminalId: arrival.terminal,
    splitId: arrival.split,
    senderName: sender.name,
    senderPaytag: sender.paytag,
    senderType: sender.type,
  });
  await recordChange(tx, {
    actor: arrival.actor,
    action: 'payment.report',
    target: arrival.reference,
    after: {
      type,
      partnerId: arrival.partner,
      amount: String(amount),
      ...arrival.target,
      pendingReason: transaction.pendingReason,
    },
    reason: arrival.reason,
  });
  return { transaction, isNew: true };
}

/** The fee of the destination's leg is all that was taken, so that amount less fee is what reached it. */
function legsOf({ type, clearing = clearingOf[type], amount, charges, destination }: Arrival): Leg[] {
  const ours = (kind: Parameters<typeof systemAccount>[0], taken: Minor): Leg => ({
    account: systemAccount(kind, CURRENCY),
    amount: taken,
  });
  const legs: Leg[] = [
    ours(clearing, negated(amount)),
    { account: destination, amount: charges.net, fee: asMinor(amount - charges.net) },
    ours('FEE', charges.fee),
    ours('COMMISSION', charges.commission),
    ours('STAMP_DUTY', charges.stampDuty),
  ];
  return legs.filter((leg) => leg.amount !== 0n);
}
