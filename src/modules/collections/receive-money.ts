import { sha256 } from '#lib/crypto/digest.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { recordChange } from '#modules/audit';
import {
  asMinor,
  assertPosted,
  type Charge,
  chargeOn,
  type Leg,
  type Minor,
  negated,
  type PendingReason,
  type Poster,
  type Posting,
  systemAccount,
} from '#modules/ledger';
import { readAsPosted, transactionOf, type WalletTransaction } from '#modules/wallets';
import { insertPayment, lockReport, selectNamers } from './store.ts';

/** Who paid, as far as the rails know. */
export interface Sender {
  name?: string | undefined;
  paytag?: string | undefined;
  /** What kind of sender or instrument, in the rails' words. */
  type?: string | undefined;
}

/** What rails report of every payment. */
export interface Report {
  /** The operator who passes the report on. */
  actor: string;
  amount: Minor;
  reference: string;
  sender: Sender;
  comment?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** The reason for reporting by hand, for the audit log alone. */
  reason?: string | undefined;
  /** Recognise a repeated report by target and amount alone: the rest varies between the rail's messages or reporters. */
  isKnownByTarget?: true | undefined;
}

/** Rails carry naira. */
export const CURRENCY = 'NGN';

/** The clearing account of each rail: its debt to us for reported payments. */
const clearingOf = {
  PARTNER_GATEWAY: 'CLEARING_GATEWAY',
  PARTNER_TERMINAL: 'CLEARING_TERMINAL',
  INBOUND: 'CLEARING_INBOUND',
} as const;

type ClearingKind = (typeof clearingOf)[keyof typeof clearingOf] | 'CLEARING_COLLECTION';

/** Money that came in from outside, and where it goes. */
export interface Arrival extends Report {
  type: keyof typeof clearingOf;
  /** The rail's clearing account; absent: that of the type. */
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
  /** The caller's reason to leave the money in suspense. */
  pendingReason?: PendingReason | undefined;
  /** The destination as the report names it: part of what identifies a repeated report. */
  target: Record<string, string | undefined>;
}

interface Received {
  transaction: WalletTransaction;
  /** False when it had been reported before. */
  isNew: boolean;
}

/**
 * Books incoming money, less the charges, and stores its sender and its reporter. Money that the destination cannot take goes to
 * suspense.
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
  // An operator may have booked it before the rail's report, without the rail's details.
  const posted = assertPosted(isOther ? await poster.tryPost(tx, { ...posting, request: known }) : first);
  const transaction =
    posted.replayed || posted.status === 'Pending'
      ? await readAsPosted(tx, arrival.partner, posted)
      : transactionOf(posted, { ...arrival, currency: CURRENCY }, wallet);
  if (posted.replayed) return { transaction, isNew: false };
  const report = {
    transactionId: posted.id,
    terminalId: arrival.terminal,
    splitId: arrival.split,
    senderName: sender.name,
    senderPaytag: sender.paytag,
    senderType: sender.type,
  };
  await insertPayment(tx, report, {});
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

/** The fee of the destination's leg is the sum of the charges. */
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

/** The charges on incoming money, in minor units. */
export interface Charges {
  fee: Minor;
  commission: Minor;
  stampDuty: Minor;
  /** The amount that reaches the destination. */
  net: Minor;
}

const NOTHING: Charge = { rateMillionths: 0n, flat: 0n, cap: undefined, from: 0n };

/** The charges on an amount: the fee first, and together never more than the amount. */
export function chargesOn(amount: Minor, given: { fee?: Charge; commission?: Charge; stampDuty?: Charge }): Charges {
  let left: bigint = amount;
  const take = (charge: Charge = NOTHING): Minor => {
    const full = chargeOn(amount, charge);
    const taken = asMinor(full < left ? full : left);
    left -= taken;
    return taken;
  };
  const fee = take(given.fee);
  const commission = take(given.commission);
  const stampDuty = take(given.stampDuty);
  return { fee, commission, stampDuty, net: asMinor(left) };
}

interface NamedReport {
  reference: string;
  /** The rail's own, where the reference is ours. */
  externalReference?: string | undefined;
}

/** Our reference for a report whose own reference the partner already uses for something else. */
export const ourReportReference = (theirs: string): string => `RPT-${sha256(theirs).toString('hex').slice(0, 32)}`;

/**
 * The reference of a rail's report: the rail's own, or ours if the partner uses that one for something else, so that no two
 * movements of one wallet share a reference. A repeated report gets that of the first. Locks the report until this transaction
 * ends, before any other lock.
 */
export async function nameReport(
  tx: Tx,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<NamedReport> {
  const ours = ourReportReference(reference);
  await lockReport(tx, partnerId, reference);
  const named = await selectNamers(tx, { partnerId, references: [reference, ours] });
  const isOurs =
    named.some((one) => one.namer === 'RAIL' && one.reference === ours) ||
    (named.length > 0 && !named.some((one) => one.namer === 'RAIL' && one.reference === reference));
  return isOurs ? { reference: ours, externalReference: reference } : { reference };
}
