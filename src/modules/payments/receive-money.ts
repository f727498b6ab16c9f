import type { Tx } from '#lib/database.ts';
import { recordChange } from '#modules/audit';
import {
  asMinor,
  type Leg,
  type Minor,
  negated,
  type PostingResult,
  type Refusal,
  systemAccount,
  tryPost,
} from '#modules/ledger';
import type { Charges } from './charges.ts';
import type { Report } from './report.ts';
import { insertPayment } from './store.ts';

/** Rails bring naira. */
export const CURRENCY = 'NGN';

/** Money that came in from outside, and where it goes. */
export interface Arrival extends Report {
  type: 'PARTNER_GATEWAY' | 'PARTNER_TERMINAL' | 'INBOUND';
  /** Whose names `reference` is unique among. */
  owner: string;
  partner: string;
  externalReference?: string | undefined;
  charges: Charges;
  /** The account of a wallet or a float. */
  destination: number;
  terminal?: number | undefined;
  split?: number | undefined;
  /** A refusal that was decided already: the reference is to stand for it. */
  predecidedRefusal?: Refusal | undefined;
  /** Where it went, as its report names it: with the report, what makes a repeated one the same. */
  target: Record<string, string | undefined>;
}

/**
 * Posts money that came in, the charges taken off, and writes beside it who sent it and who reported it. A refusal is an
 * outcome: commit it, then throw it.
 */
export async function receiveMoney(tx: Tx, arrival: Arrival): Promise<PostingResult> {
  const { type, amount, charges, sender, comment, metadata } = arrival;
  const outcome = await tryPost(tx, {
    owner: arrival.owner,
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
  if (!isNew(outcome)) return outcome;
  await insertPayment(tx, {
    transactionId: outcome.id,
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
  return outcome;
}

/** True when it moved money now: neither refused nor repeated. */
export const isNew = (outcome: PostingResult): boolean => !('refusal' in outcome) && !outcome.replayed;

/** The destination's leg carries all that was taken from it as its fee, so that amount less fee is what reached it. */
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
