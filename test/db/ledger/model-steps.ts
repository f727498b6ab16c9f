import fc from 'fast-check';
import type { Database } from '#lib/postgres/executor.ts';
import {
  type Account,
  applyDeferred,
  asMinor,
  changeRules,
  expireHolds,
  type Leg,
  liftLien,
  type Posting,
  placeHold,
  placeLien,
  releaseHold,
  settlePending,
  settlePendingTo,
} from '#modules/ledger';
import {
  CLEARING,
  COMMISSION,
  type Copy,
  FEE,
  FLOAT,
  idOf,
  STAMP_DUTY,
  SUSPENSE,
  send,
  WALLETS,
} from '../../support/ledger-copy.ts';
import { BALANCE_MAX, type LedgerModel } from '../../support/ledger-model.ts';
import { untold } from '../../support/post.ts';

const HOUR_MS = 3_600_000;

/** What a step came to in the model, and in each copy of its books. */
export interface Taken {
  expected: unknown;
  answers: unknown[];
}

interface Books {
  db: Database;
  model: LedgerModel;
  copies: readonly Copy[];
}
type Take<What extends Step['do']> = (books: Books, step: Extract<Step, { do: What }>) => Promise<Taken>;

const each = (copies: readonly Copy[], ask: (copy: Copy) => Promise<unknown>) => Promise.all(copies.map(ask));
const nothing: Taken = { expected: undefined, answers: [] };

const post: Take<'post'> = async ({ db, model, copies }, { batch }) => {
  const postings = postingsOf(batch, model);
  const expected = postings.map((posting) => model.post(posting));
  return { expected, answers: await each(copies, (copy) => send(db, copy, postings, model.now)) };
};

const holdTaken: Take<'hold'> = async ({ db, model, copies }, { again, account, amount, limit, expiresInHours }) => {
  const known = model.holds.length;
  const index = again === undefined || known === 0 ? known : again % known;
  const expiresAt = new Date(model.start.getTime() + expiresInHours * HOUR_MS);
  const state = model.hold({ index, account, amount, expiresAt, limit });
  const answers = await each(copies, async (copy) => {
    const request = { owner: copy.owner, reference: `h${index}`, account: idOf(copy.accounts, account), expiresAt };
    const money = { amount: asMinor(amount), defaultDailyLimit: limit === undefined ? undefined : asMinor(limit) };
    try {
      const id = await placeHold(db, { ...request, ...money }, model.now);
      if (index === known) copy.holds.push(id);
      return id === copy.holds[index] ? 'held' : 'another hold';
    } catch (error) {
      if (index === known) copy.holds.push(await refusedHold(db, copy));
      return error instanceof Error && 'code' in error ? error.code : error;
    }
  });
  return { expected: ['OPEN', 'CAPTURED', 'RELEASED', 'EXPIRED'].includes(state) ? 'held' : state, answers };
};

/** A refused hold has an id too, by which a capture can name it. */
async function refusedHold(db: Database, { owner }: Copy): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(
    `select max(id) as id from ledger.hold where owner_id = '${owner}'`,
  );
  return Number(rows[0]?.id);
}

const release: Take<'release'> = async ({ db, model, copies }, { pick }) => {
  if (model.holds.length === 0) return nothing;
  const index = pick % model.holds.length;
  const expected = model.close('RELEASED', (_hold, at) => at === index) === 1;
  return { expected, answers: await each(copies, ({ holds }) => releaseHold(db, idOf(holds, index), model.now)) };
};

const settleOne: Take<'settle one'> = async ({ db, model, copies }, { pick }) => {
  if (model.transactions.length === 0) return nothing;
  const index = pick % model.transactions.length;
  const expected = model.settle((_one, at) => at === index) === 1;
  const settle = ({ transactions }: Copy) =>
    db.transaction((tx) => settlePending(tx, idOf(transactions, index), { afterSettling: untold, now: model.now }));
  return { expected, answers: await each(copies, settle) };
};

const settle: Take<'settle'> = async ({ db, model, copies }, { account }) => {
  const expected = model.settle(({ posting }) => posting.destination === account);
  const ask = ({ accounts }: Copy) =>
    db.transaction((tx) => settlePendingTo(tx, idOf(accounts, account), { afterSettling: untold, now: model.now }));
  return { expected, answers: await each(copies, ask) };
};

const setRules: Take<'rules'> = async ({ db, model, copies }, { account, status, limit }) => {
  Object.assign(model.account(account), { status, limit });
  const rules = { status, dailyLimit: limit === null ? null : asMinor(limit) };
  const change = ({ accounts }: Copy) =>
    db.transaction(async (tx) => (await changeRules(tx, idOf(accounts, account), rules, model.now)).status);
  return { expected: status, answers: await each(copies, change) };
};

const lien: Take<'lien'> = async ({ db, model, copies }, { account, amount }) => {
  model.liens.push({ account, amount, lifted: false });
  model.account(account).liens += amount;
  await each(copies, async ({ accounts, liens }) => {
    const request = { account: idOf(accounts, account), amount: asMinor(amount), reason: 'court order' };
    liens.push(await db.transaction((tx) => placeLien(tx, request, model.now)));
  });
  return nothing;
};

const lift: Take<'lift'> = async ({ db, model, copies }, { pick }) => {
  const one = model.liens[pick % model.liens.length];
  if (one === undefined) return nothing;
  const expected = !one.lifted;
  if (expected) model.account(one.account).liens -= one.amount;
  one.lifted = true;
  const ask = ({ accounts, liens }: Copy) => {
    const request = { account: idOf(accounts, one.account), lien: idOf(liens, model.liens.indexOf(one)) };
    return db.transaction((tx) => liftLien(tx, request, model.now));
  };
  return { expected, answers: await each(copies, ask) };
};

/** Takes a step in the model and in every copy of its books. */
export async function take(books: Books, step: Step): Promise<Taken> {
  const { db, model } = books;
  if (step.do === 'post') return post(books, step);
  if (step.do === 'hold') return holdTaken(books, step);
  if (step.do === 'rules') return setRules(books, step);
  if (step.do === 'lien') return lien(books, step);
  if (step.do === 'settle') return settle(books, step);
  if (step.do === 'release') return release(books, step);
  if (step.do === 'lift') return lift(books, step);
  if (step.do === 'settle one') return settleOne(books, step);
  if (step.do === 'wait') model.now = new Date(model.now.getTime() + step.minutes * 60_000);
  if (step.do === 'apply deferred') await applyDeferred(db, step.most);
  if (step.do === 'expire') {
    model.close('EXPIRED', ({ expiresAt }) => expiresAt <= model.now);
    await expireHolds(db, 10_000, model.now);
  }
  return nothing;
}

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

/** A posting yet to be made of what the books hold at the time. */
export interface PostingSpec {
  kind: 'credit' | 'debit' | 'transfer' | 'gateway' | 'refund' | 'reversal' | 'capture' | 'again';
  wallet: number;
  other: number;
  amount: bigint;
  fee: bigint;
  tax: bigint;
  limit: bigint | undefined;
  /** Which transaction, hold or earlier posting it is about, modulo how many there are. */
  pick: number;
  /** Whether a refund or capture takes all that is left. */
  whole: boolean;
  /** Whether a gateway payment fills the wallet to the brim; one that is not whole spills over. */
  fills: boolean;
  /** Whether a gateway payment has arrived, and waits for a wallet that cannot have it. */
  arrives: boolean;
  /** What a repeated reference comes with. */
  change: 'nothing' | 'amount' | 'comment' | 'fee';
  refuse: boolean;
}

export type Step =
  | { do: 'post'; batch: readonly PostingSpec[] }
  | {
      do: 'hold';
      account: number;
      amount: bigint;
      expiresInHours: number;
      limit: bigint | undefined;
      again: number | undefined;
    }
  | { do: 'release'; pick: number }
  | { do: 'lift'; pick: number }
  | { do: 'settle one'; pick: number }
  | { do: 'expire' }
  | { do: 'settle'; account: number }
  | { do: 'rules'; account: number; status: Account['status']; limit: bigint | null }
  | { do: 'lien'; account: number; amount: bigint }
  | { do: 'apply deferred'; most: number }
  | { do: 'wait'; minutes: number };

const always = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const sometimes = seldom(always(true)).map((given) => given ?? false);

const wallet = fc.constantFrom(...WALLETS);
const amount = fc.bigInt(1n, 4_000n);
const limit = fc.option(fc.bigInt(500n, 6_000n), { nil: undefined, freq: 2 });
const charge = fc.constantFrom(0n, 0n, 25n, 130n);
const pick = fc.nat({ max: 1_000 });

const spec: fc.Arbitrary<PostingSpec> = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('credit', 'debit', 'transfer', 'gateway') },
    { weight: 4, arbitrary: always('refund') },
    { weight: 2, arbitrary: always('reversal') },
    { weight: 2, arbitrary: always('capture') },
    { weight: 1, arbitrary: always('again') },
  ),
  wallet,
  other: wallet,
  amount,
  fee: charge,
  tax: charge,
  limit,
  pick,
  whole: fc.boolean(),
  fills: sometimes,
  arrives: fc.boolean(),
  change: fc.constantFrom('nothing', 'nothing', 'amount', 'comment', 'fee'),
  refuse: sometimes,
});

/** Something in every wallet, so that sequences get somewhere. */
export const opening: Extract<Step, { do: 'post' }> = {
  do: 'post',
  batch: WALLETS.map((to) => ({
    kind: 'credit',
    wallet: to,
    other: to,
    amount: 9_000n,
    fee: 0n,
    tax: 0n,
    limit: undefined,
    pick: 0,
    whole: true,
    fills: false,
    arrives: false,
    change: 'nothing',
    refuse: false,
  })),
};

/** Movements out of two wallets that come to about what is in them and what they may spend, one after the other. */
export const movements = fc.array(
  spec.chain((made) => {
    const some = {
      kind: fc.constantFrom('credit', 'debit', 'transfer', 'debit', 'transfer'),
      wallet: fc.constantFrom(1, 2),
    };
    const much = { amount: fc.bigInt(1_500n, 4_500n), limit: fc.constantFrom(undefined, undefined, 9_000n) };
    return fc.record({ ...some, ...much }).map((members) => ({ ...made, ...members, refuse: false }));
  }),
  { minLength: 2, maxLength: 6 },
);

/** What an account mostly is, so that sequences get somewhere. */
const status = fc.constantFrom('Enabled', 'Enabled', 'Enabled', 'Blocked', 'PND', 'PNC', 'PNC');

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: always('post'), batch: fc.array(spec, { minLength: 1, maxLength: 5 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: always('hold'),
      account: wallet,
      amount,
      expiresInHours: fc.integer({ min: 1, max: 72 }),
      limit,
      again: seldom(pick),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: always('release'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: always('lift'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: always('settle one'), pick }) },
  { weight: 1, arbitrary: fc.record({ do: always('expire') }) },
  { weight: 2, arbitrary: fc.record({ do: always('settle'), account: wallet }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: always('rules'), account: wallet, status, limit: fc.option(amount, { freq: 2 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: always('lien'), account: wallet, amount }) },
  { weight: 1, arbitrary: fc.record({ do: always('apply deferred'), most: fc.integer({ min: 1, max: 50 }) }) },
  { weight: 2, arbitrary: fc.record({ do: always('wait'), minutes: fc.integer({ min: 1, max: 900 }) }) },
);
