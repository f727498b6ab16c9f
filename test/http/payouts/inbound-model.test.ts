import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignAccount, bookInbox } from '#modules/collections';
import { businessDay } from '#modules/ledger';
import { compareDay } from '#modules/reconciliation';
import type { ProviderClient } from '../../../src/providers/http-client.ts';
import { paystackRail } from '../../../src/providers/rails/paystack.ts';
import { useApp } from '../../support/app.ts';
import { repetitions } from '../../support/cases.ts';
import { chargeMessage, creditUnknown, dyingTransact, inboundsOf } from '../../support/inbound.ts';
import { PAYSTACK_ENV, PAYSTACK_KEY, signatureOf, tell } from '../../support/paystack-hooks.ts';
import { changeWallet, fundedWallet, kycWallet } from '../../support/wallets.ts';
import {
  anyStep,
  DAY_MS,
  differenceOf,
  HOUR_MS,
  type PaymentStep,
  type Receiver,
  receivers,
  type Step,
} from './incoming-steps.ts';

/** A payment that somebody made to one of a provider's account numbers. */
interface Incoming {
  reference: string;
  accountNumber: string;
  /** Kobo, or cents. */
  amount: number;
  currency: string;
  /** When it came in, and from when on it stands in the list. */
  at: number;
  listedAt: number;
}

/**
 * What a provider has collected for us, as Paystack lists it, and finds it by its reference. In its list a payment may stand
 * late; while it is away, it gives no usable answer.
 */
class CollectingBank {
  readonly payments = new Map<string, Incoming>();
  isAway = false;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Somebody pays. */
  take(paid: Omit<Incoming, 'at' | 'listedAt'>, lateMs: number): Incoming {
    const at = this.#now().getTime();
    const payment = { ...paid, at, listedAt: at + lateMs };
    this.payments.set(payment.reference, payment);
    return payment;
  }

  /** What is asked of it for a comparison. */
  get rail() {
    const client: ProviderClient = {
      ask: async ({ path, query }) => this.#answer(path, query),
      health: () => undefined,
      close: async () => undefined,
    };
    return paystackRail(client, { TRANSFER: undefined, CHARGE: 'a key' });
  }

  #answer(path: string, query: Record<string, string> = {}) {
    if (this.isAway) return { status: 502, body: undefined };
    const now = this.#now().getTime();
    const listed = [...this.payments.values()].filter(({ listedAt }) => listedAt <= now);
    const [verb, reference = ''] = path.split('/').slice(2);
    if (verb === 'verify') {
      const found = listed.find((one) => one.reference === decodeURIComponent(reference));
      if (found === undefined) return { status: 404, body: { status: false, message: 'Transaction not found' } };
      return { status: 200, body: { status: true, message: '', data: dataOf(found) } };
    }
    const { from = '', to = '', page = '1', perPage = '50' } = query;
    const ofDay = listed.filter(({ at }) => at >= Date.parse(from) && at <= Date.parse(to));
    const start = (Number(page) - 1) * Number(perPage);
    const meta = { pageCount: Math.ceil(ofDay.length / Number(perPage)) };
    const data = ofDay.slice(start, start + Number(perPage)).map(dataOf);
    return { status: 200, body: { status: true, message: '', data, meta } };
  }
}

const dataOf = (payment: Incoming): unknown => JSON.parse(chargeMessage(payment)).data;

/**
 * When this fails, fast-check prints `{ seed: …, path: "…", endOnFailure: true }`: put it here, and this very sequence
 * runs again, alone.
 */
const REPLAY: fc.Parameters<unknown> = {};

const RUNS = repetitions({ short: 4, soak: 60 });
const SHRINK_MS = 240_000;

const server = useApp({
  ...PAYSTACK_ENV,
  INBOUND_PROVIDER: 'paystack',
  INBOUND_PAYSTACK_URL: 'http://127.0.0.1:9',
  INBOUND_PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
});
const bank = new CollectingBank(() => server.clock.now());
const began = Date.now();
let accounts = 0;
let payments = 0;
let bookedInAll = 0n;

type World = Awaited<ReturnType<typeof newWorld>>;

/** Two wallets with account numbers; one whose number the bank gave out before we know of it; and a number of nobody. */
async function newWorld() {
  const { partner, wallet: first } = await fundedWallet(server, 1_000);
  const [second, late] = [await kycWallet(server, partner), await kycWallet(server, partner)];
  const numbers = Object.fromEntries(
    receivers.map((name) => [name, `99${String(++accounts).padStart(8, '0')}`]),
  ) as Record<Receiver, string>;
  const world = {
    partner,
    wallets: { first, second, late },
    numbers,
    paid: [] as (Incoming & { to: Receiver; isTold: boolean })[],
    /** What an operator has found the wallet of. */
    credited: new Set<string>(),
    isLateKnown: false,
    beganAt: server.clock.now().getTime(),
  };
  await assign(world, 'first');
  await assign(world, 'second');
  return world;
}

async function assign(
  { partner, wallets, numbers }: Pick<World, 'partner' | 'wallets' | 'numbers'>,
  to: 'first' | 'second' | 'late',
) {
  const assigned = { accountNumber: numbers[to], bankName: 'B', bankCode: '035', accountName: 'A' };
  const inboundProvider = { name: 'paystack', assign: async () => assigned };
  await assignAccount(
    { ...server.resources, inboundProvider },
    { partnerId: partner.id, walletReference: wallets[to] },
  );
}

function pay(world: World, { to, isForeign, isNothing, isTold, lateMs }: PaymentStep) {
  payments += 1;
  const amount = isNothing ? 0 : 10_000 + payments;
  const currency = isForeign ? 'USD' : 'NGN';
  const payment = { reference: `incoming-${payments}`, accountNumber: world.numbers[to], amount, currency };
  world.paid.push({ ...bank.take(payment, lateMs), to, isTold });
}

/** Tells of one payment, whichever: again, in other bytes, or with another amount than it had, once it is in the books. */
async function tellOne({ paid }: World, given: { which: number; how: string }): Promise<void> {
  const told = paid.filter(({ isTold }) => isTold);
  const payment = told[given.which % Math.max(1, told.length)];
  if (payment === undefined) return;
  const body = chargeMessage(payment);
  if (given.how === 'forged') {
    const other = chargeMessage({ ...payment, amount: payment.amount + 100 });
    expect((await tell(server, other, signatureOf(body))).statusCode).toBe(401);
    return;
  }
  const isMisquoted = given.how === 'misquoted' && (await inboundsOf(server, payment.reference)).length > 0;
  const anew = given.how === 'written anew' ? `${body} ` : body;
  const said = isMisquoted ? chargeMessage({ ...payment, amount: payment.amount + 1 }) : anew;
  expect((await tell(server, said)).statusCode).toBe(200);
}

/** Several workers at once, some of which die. */
async function book(workers: number, deaths: number): Promise<void> {
  const resources = { ...server.resources, transact: dyingTransact(server.resources.transact, deaths) };
  await Promise.all(Array.from({ length: workers }, async () => bookInbox(resources)));
}

const compare = async (day: string) =>
  compareDay({ ...server.resources, rails: [bank.rail] }, { provider: 'paystack', day, actor: 'nightly' });

async function compareDaysAgo(days: number, isAway: boolean): Promise<void> {
  bank.isAway = isAway;
  const refused = await compare(businessDay(new Date(server.clock.now().getTime() - days * DAY_MS))).then(
    () => undefined,
    ({ code }: { code: string }) => code,
  );
  bank.isAway = false;
  expect(refused).toBe(isAway ? 'RAIL_PROVIDER_UNAVAILABLE' : undefined);
}

async function take(world: World, step: Step): Promise<void> {
  switch (step.do) {
    case 'pay':
      for (const each of step.all) pay(world, each);
      return;
    case 'tell':
      for (const each of step.all) await tellOne(world, each);
      return;
    case 'book': {
      server.clock.advance(step.afterMs);
      const meanwhile = step.meanwhile.map(async (each) => tellOne(world, each));
      await Promise.all([
        book(step.workers, step.deaths),
        ...meanwhile,
        ...(step.isCompared ? [compareDaysAgo(0, false)] : []),
      ]);
      return;
    }
    case 'compare':
      return compareDaysAgo(step.daysAgo, step.isAway);
    case 'wait':
      server.clock.advance(step.ms);
      return;
    case 'freeze':
      await changeWallet(server, world.wallets.second, { status: step.status });
      return;
    case 'assign':
      if (!world.isLateKnown) await assign(world, 'late');
      world.isLateKnown = true;
      return;
    default:
      return creditOne(world, step.which);
  }
}

/** Operators find out whose money it is that came to nobody's number. */
async function creditOne({ paid, credited, wallets }: World, at: number): Promise<void> {
  const open = paid.filter(({ to, reference }) => to === 'nobody' && !credited.has(reference));
  const references = open.map(({ reference }) => reference);
  const reference = await creditUnknown(server, { references, which: at, wallet: wallets.first });
  if (reference !== undefined) credited.add(reference);
}

/** The bank has told all it will ever tell, twice, and its lists of all days are whole and compared. */
async function settle(world: World): Promise<void> {
  const told = world.paid.filter(({ isTold }) => isTold);
  for (const payment of [...told, ...told].toReversed())
    expect((await tell(server, chargeMessage(payment))).statusCode).toBe(200);
  await book(2, 3);
  server.clock.advance(2 * DAY_MS);
  await compareSince(world.beganAt);
  for (let round = 0; round < 3; round++) {
    server.clock.advance(2 * HOUR_MS);
    await book(1, 0);
  }
}

async function compareSince(beganAt: number) {
  const now = server.clock.now().getTime();
  const days = new Set<string>(); // today too, however early it is
  for (let at = beganAt; at < now + DAY_MS; at += DAY_MS) days.add(businessDay(new Date(Math.min(at, now))));
  const compared = [];
  for (const day of days) compared.push(await compare(day));
  return compared;
}

async function assertBooked(world: World): Promise<void> {
  const shown: Record<string, string> = {};
  for (const payment of world.paid) {
    const { reference, amount, to } = payment;
    const difference = differenceOf(payment, world);
    const postings = await inboundsOf(server, reference);
    const wallet = world.wallets[to === 'nobody' ? 'first' : to];
    expect(postings).toMatchObject(difference === undefined ? [{ amount: String(amount), wallet }] : []);
    if (difference === undefined) bookedInAll += BigInt(amount);
    else shown[reference] = difference;
    const { rows } = await server.owner.query(
      'select distinct amount::int, state, difference, transaction_id as id from inbox.message where reference = $1',
      [reference],
    );
    const id = postings[0]?.id ?? null;
    const state = difference === undefined ? 'BOOKED' : 'DIFFERENT';
    const right = { amount, state, difference: difference ?? null, id };
    const misquoted = { amount: amount + 1, state: 'DIFFERENT', difference: 'AMOUNT_DIFFERS', id };
    expect(rows).toContainEqual(right);
    expect(difference === undefined ? [right, misquoted] : [right]).toEqual(expect.arrayContaining(rows));
  }
  const differences = (await compareSince(world.beganAt)).flatMap((compared) => compared.differences);
  const ofWorld = differences.filter(({ reference }) => world.paid.some((one) => one.reference === reference));
  expect(Object.fromEntries(ofWorld.map(({ reference, what }) => [reference, what]))).toEqual(shown);
  expect(ofWorld).toHaveLength(Object.keys(shown).length);
  const { rows: wallets } = await server.owner.query(
    `select a.posted - case w.reference when $2 then 100000 else 0 end as posted, (select coalesce(sum(t.amount), 0)
            from ledger.transaction t where t.destination_id = a.id and t.type = 'INBOUND' and t.status = 'Successful') as booked
       from ledger.account a join wallets.partner_wallet w on w.account_id = a.id where w.reference = any ($1)`,
    [Object.values(world.wallets), world.wallets.first],
  );
  for (const { posted, booked } of wallets) expect(posted).toBe(booked);
}

it('what a bank has collected is booked once or shown, told twice, late, never, wrongly or out of order', async () => {
  const steps = fc.array(anyStep, { minLength: 20, maxLength: 50, size: 'max' });
  const property = fc.asyncProperty(steps, async (taken) => {
    const world = await newWorld();
    for (const step of taken) await take(world, step);
    await settle(world);
    await assertBooked(world);
  });
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: SHRINK_MS, ...REPLAY });

  const { rows } = await server.owner.query(
    `select -sum(e.amount) filter (where a.kind = 'CLEARING_COLLECTION') as collected,
            coalesce(sum(e.amount) filter (where a.kind = 'SUSPENSE'), 0)
              - (select coalesce(sum(amount), 0) from ledger.transaction where status = 'Pending') as suspense
       from ledger.entry e join ledger.account a on a.id = e.account_id`,
  );
  expect(rows).toEqual([{ collected: String(bookedInAll), suspense: '0' }]);
  const { checks } = (await server.operate('GET', '/ledger/check')).json();
  expect(checks.filter(({ violations }: { violations: number }) => violations > 0)).toEqual([]);
  const days = await compareSince(began);
  const total = (of: 'theirAmount' | 'ourAmount') => days.reduce((sum, day) => sum + day[of], 0n);
  const naira = [...bank.payments.values()].filter(({ currency }) => currency === 'NGN');
  expect(total('ourAmount')).toBe(bookedInAll);
  expect(total('theirAmount')).toBe(naira.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
  expect(naira.length).toBeGreaterThan(10 * RUNS);
});
