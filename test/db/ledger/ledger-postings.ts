import { asMinor, type Leg, type Posting } from '#modules/ledger';
import { CLEARING, COMMISSION, FEE, FLOAT, STAMP_DUTY, SUSPENSE, WALLETS } from '../../support/ledger-copy.ts';
import { BALANCE_MAX, type LedgerModel } from '../../support/ledger-model.ts';
import type { PostingSpec } from '../../support/ledger-steps.ts';

/** The postings that specs come to in these books; none of those that would be about nothing in them. */
export function postingsOf(specs: readonly PostingSpec[], model: LedgerModel): Posting[] {
  const made: Posting[] = [];
  for (const spec of specs) {
    const posting = postingOf(spec, model, made);
    if (posting !== undefined) made.push(posting);
  }
  return made;
}

function postingOf(spec: PostingSpec, model: LedgerModel, batch: readonly Posting[]): Posting | undefined {
  const known = [...model.transactions.map(({ posting }) => posting), ...batch];
  if (spec.kind === 'again') return repeated(spec, known);
  const made = madeOf(spec, model);
  if (made === undefined) return undefined;
  const predecidedRefusal = spec.refuse ? 'SPLIT_OVERPAYMENT' : undefined;
  const reference = `t${model.transactions.length}-${batch.length}`;
  return {
    owner: '',
    namer: 'PARTNER',
    reference,
    currency: 'NGN',
    ...made,
    legs: made.legs.filter((leg) => leg.amount !== 0n),
    predecidedRefusal,
  };
}

function repeated({ pick, change }: PostingSpec, known: readonly Posting[]): Posting | undefined {
  const first = known[pick % known.length];
  if (first === undefined) return undefined;
  if (change === 'amount') return { ...first, amount: asMinor(first.amount + 1n) };
  if (change === 'comment') return { ...first, comment: 'another' };
  return change === 'fee'
    ? { ...first, fee: asMinor((first.fee ?? 0n) + 1n), defaultDailyLimit: asMinor(1n) }
    : { ...first };
}

type Made = Pick<Posting, 'type' | 'amount' | 'source' | 'destination' | 'legs'> & Partial<Posting>;

const leg = (account: number, signed: bigint): Leg => ({ account, amount: asMinor(signed) });

function madeOf(spec: PostingSpec, model: LedgerModel): Made | undefined {
  const { kind, amount: value, fee, tax, wallet: from } = spec;
  const amount = asMinor(value);
  const to = from === spec.other ? (from % WALLETS.length) + 1 : spec.other;
  const charges = { fee: asMinor(fee), amount };
  const limited = { limitAccount: from, defaultDailyLimit: spec.limit === undefined ? undefined : asMinor(spec.limit) };
  if (kind === 'credit') {
    const legs = [{ ...leg(FLOAT, -value - fee), fee: asMinor(fee) }, leg(from, value), leg(FEE, fee)];
    return { type: 'PARTNER_WALLET_CREDIT', ...charges, source: FLOAT, destination: from, legs };
  }
  if (kind === 'debit') {
    const legs = [leg(from, -value), leg(FLOAT, value - fee), leg(FEE, fee)];
    return { type: 'PARTNER_WALLET_DEBIT', ...charges, source: from, destination: FLOAT, legs, ...limited };
  }
  if (kind === 'transfer') {
    const legs = [leg(from, -value - fee), leg(to, value - tax), leg(FEE, fee), leg(STAMP_DUTY, tax)];
    return { type: 'TRANSFER', ...charges, stampDuty: asMinor(tax), source: from, destination: to, legs, ...limited };
  }
  if (kind === 'gateway') {
    const brim = BALANCE_MAX - model.account(from).posted + fee + tax;
    const paid = spec.fills && brim > 0n ? brim + (spec.whole ? 0n : 1n) : value;
    const legs = [leg(CLEARING, -paid), leg(from, paid - fee - tax), leg(FEE, fee), leg(COMMISSION, tax)];
    const names = { type: 'PARTNER_GATEWAY', commission: asMinor(tax), source: CLEARING, destination: from } as const;
    const arrival = spec.arrives ? ({ arrived: true, suspenseAccount: SUSPENSE } as const) : {};
    return { ...charges, ...names, ...arrival, amount: asMinor(paid), legs };
  }
  if (kind === 'reversal') return reversalOf(spec, model);
  return kind === 'refund' ? refundOf(spec, model) : captureOf(spec, model);
}

/** Every other time one of those that things can be done with, if there is one: most sequences would find none. */
function oneOf<T>(all: readonly T[], pick: number, isApt: (one: T) => boolean): T | undefined {
  const apt = pick % 2 === 0 ? all.filter(isApt) : [];
  return apt.length > 0 ? apt[pick % apt.length] : all[pick % all.length];
}

function refundOf({ pick, whole, amount }: PostingSpec, model: LedgerModel): Made | undefined {
  const original = oneOf(model.transactions, pick, ({ status, posting: { source } }) => {
    return status === 'Successful' && !['Enabled', 'PND'].includes(model.account(source).status);
  });
  if (original === undefined) return undefined;
  const { source: destination, destination: source } = original.posting;
  const left = original.posting.amount - original.refunded;
  const value = whole && left > 0n ? left : amount;
  const legs = [leg(source, -value), leg(destination, value)];
  const names = { type: 'PARTNER_REFUND', source, destination, suspenseAccount: SUSPENSE } as const;
  return { ...names, original: model.transactions.indexOf(original), amount: asMinor(value), legs };
}

function reversalOf({ pick }: PostingSpec, model: LedgerModel): Made | undefined {
  const original = oneOf(model.transactions, pick, ({ status, refunded }) => {
    return ['Successful', 'Pending'].includes(status) && refunded === 0n;
  });
  if (original === undefined) return undefined;
  const { source: destination, destination: source, amount } = original.posting;
  const moved = new Map<number, bigint>();
  for (const entry of original.entries) moved.set(entry.account, (moved.get(entry.account) ?? 0n) + entry.amount);
  if ((moved.get(SUSPENSE) ?? 0n) < 0n) return undefined; // the rooms refuse to put back what no transaction waits for
  const legs = [...moved].map(([account, sum]) => leg(account, -sum));
  const names = { type: 'PARTNER_REFUND', source, destination, suspenseAccount: SUSPENSE, arrived: true } as const;
  return { ...names, reverses: true, original: model.transactions.indexOf(original), amount, legs };
}

function captureOf({ pick, whole, amount, wallet }: PostingSpec, model: LedgerModel): Made | undefined {
  const hold = oneOf(model.holds, pick, ({ state }) => state === 'OPEN');
  if (hold === undefined) return undefined;
  const value = whole ? hold.amount : amount;
  const destination = wallet === hold.account ? FLOAT : wallet;
  const legs = [leg(hold.account, -value), leg(destination, value)];
  const names = { type: 'SWITCH', source: hold.account, destination, hold: model.holds.indexOf(hold) } as const;
  return { ...names, amount: asMinor(value), legs };
}
