import type { Tx } from '#lib/database.ts';
import { recordChange } from '#modules/audit';
import {
  asMinor,
  assertPosted,
  type Leg,
  type Minor,
  negated,
  type Poster,
  type PostingResult,
  type Refusal,
  systemAccount,
} from '#modules/ledger';
import { transactionOf, type WalletTransaction } from '#modules/wallets';
import type { Charges } from './charges.ts';
import type { Report } from './report.ts';
import { insertPayment } from './store.ts';

/** Rails carry naira. */
export const CURRENCY = 'NGN';

/** Money that came in from outside, and where it goes. */
export interface Arrival extends Report {
  type: 'PARTNER_GATEWAY' | 'PARTNER_TERMINAL' | 'INBOUND';
  /** `reference` is unique among the references of this owner. */
  owner: string;
  partner: string;
  externalReference?: string | undefined;
  charges: Charges;
  /** The account of a wallet or a float. */
  destination: number;
  terminal?: number | undefined;
  split?: number | undefined;
  /** A refusal that the caller has decided on: the reference stays refused with it. */
  predecidedRefusal?: Refusal | undefined;
  /** Where it went, as the report names it: a repeated report is recognised by this and by what it reports. */
  target: Record<string, string | undefined>;
}

/**
 * Posts money that came in, less the charges, and stores beside it who sent it and who reported it. A refusal is returned, so
 * that the caller can commit it before throwing it.
 */
export async function receiveMoney(tx: Tx, poster: Poster, arrival: Arrival): Promise<PostingResult> {
  const { type, amount, charges, sender, comment, metadata } = arrival;
  const result = await poster.tryPost(tx, {
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
    source: systemAccount('CLEARING', CURRENCY),
    destination: arrival.destination,
    externalReference: arrival.externalReference,
    comment,
    metadata,
    legs: legsOf(arrival),
    predecidedRefusal: arrival.predecidedRefusal,
    request: { type, amount, target: arrival.target, sender, comment, metadata },
  });
  if (!movedMoney(result)) return result;
  await insertPayment(tx, {
    transactionId: result.id,
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
    after: { type, partnerId: arrival.partner, amount: String(amount), ...arrival.target },
    reason: arrival.reason,
  });
  return result;
}

/** True when a report moved money: it was neither refused nor repeated. */
export const movedMoney = (result: PostingResult): boolean => !('refusal' in result) && !result.replayed;

/**
 * The transaction that an arrival became.
 *
 * @param wallet the account of the wallet that it went to, whose balances are shown
 * @throws DomainError when it was refused
 */
export const transactionOfArrival = (result: PostingResult, arrival: Arrival, wallet?: number): WalletTransaction =>
  transactionOf(assertPosted(result), { ...arrival, currency: CURRENCY }, wallet);

/** The fee of the destination's leg is all that was taken, so that amount less fee is what reached it. */
function legsOf({ amount, charges, destination }: Arrival): Leg[] {
  const ours = (kind: Parameters<typeof systemAccount>[0], taken: Minor): Leg => ({
    account: systemAccount(kind, CURRENCY),
    amount: taken,
  });
  const legs: Leg[] = [
    ours('CLEARING', negated(amount)),
    { account: destination, amount: charges.net, fee: asMinor(amount - charges.net) },
    ours('FEE', charges.fee),
    ours('COMMISSION', charges.commission),
    ours('STAMP_DUTY', charges.stampDuty),
  ];
  return legs.filter((leg) => leg.amount !== 0n);
}
