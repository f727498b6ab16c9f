import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '#lib/domain-error.ts';
import { asMinor, businessDay, changeRules, expireHolds, placeHold, releaseHold } from '#modules/ledger';
import { dailyLimitAt } from '../../src/modules/wallets/find-wallets.ts';
import { statementData } from '../../src/modules/wallets/history.ts';
import { repetitions } from '../support/cases.ts';
import { type Book, type TestLedger, useLedger } from '../support/ledger.ts';
import { post, postingBetween, postingJson, tryPost } from '../support/post.ts';

const HOLD_MS = 3 * 60 * 60 * 1000;
const ENOUGH = 1_000_000_000n;

/** What can happen to a wallet that has a daily limit. */
const spendingSteps = ['transfer', 'hold', 'release', 'expire', 'setLimit', 'unsetLimit'] as const;

/** Each answers in one word what came of it. */
type Spending = Record<(typeof spendingSteps)[number], (amount: bigint, at: Date) => string | Promise<string>>;

/** What the books must do with the limit of a wallet, in a few lines that know nothing of them. */
class SpendingModel implements Spending {
  readonly #tierLimit: bigint;
  #limit: bigint;
  readonly #spent = new Map<string, bigint>();
  #open: { amount: bigint; day: string; until: number }[] = [];

  constructor(tierLimit: bigint) {
    this.#tierLimit = tierLimit;
    this.#limit = tierLimit;
  }

  today(at: Date) {
    const spent = this.#spent.get(businessDay(at)) ?? 0n;
    return { limit: this.#limit, spent, remaining: spent > this.#limit ? 0n : this.#limit - spent };
  }

  transfer(amount: bigint, at: Date): string {
    if (this.today(at).spent + amount > this.#limit) return 'LIMIT_EXCEEDED';
    this.#add(businessDay(at), amount);
    return 'Successful';
  }

  hold(amount: bigint, at: Date): string {
    if (this.transfer(amount, at) === 'LIMIT_EXCEEDED') return 'LIMIT_EXCEEDED';
    this.#open.push({ amount, day: businessDay(at), until: at.getTime() + HOLD_MS });
    return 'OPEN';
  }

  release(_amount: bigint, at: Date): string {
    const held = this.#open.pop();
    if (held?.day === businessDay(at)) this.#add(held.day, -held.amount);
    return held === undefined ? 'nothing' : 'released';
  }

  expire(_amount: bigint, at: Date): string {
    const over = this.#open.filter(({ until }) => until <= at.getTime());
    this.#open = this.#open.filter((held) => !over.includes(held));
    for (const { day, amount } of over) if (day === businessDay(at)) this.#add(day, -amount);
    return `${over.length} expired`;
  }

  setLimit(amount: bigint): string {
    this.#limit = amount;
    return 'set';
  }

  unsetLimit(): string {
    this.#limit = this.#tierLimit;
    return 'unset';
  }

  #add(day: string, amount: bigint): void {
    this.#spent.set(day, (this.#spent.get(day) ?? 0n) + amount);
  }
}

/** Two wallets of one holder in the books, to which the same things happen by turns. `end` closes what they hold. */
async function openSpender(ledger: TestLedger, tierLimit: bigint) {
  const { partner, float, wallet: other } = await ledger.newBook(2n * ENOUGH);
  const holder = crypto.randomUUID();
  const wallets = [
    await ledger.newWallet(partner, holder),
    await ledger.newWallet(crypto.randomUUID(), holder),
  ] as const;
  let references = 0;
  const named = () => ({ owner: partner, partner, reference: `r${++references}` });
  const defaultDailyLimit = asMinor(tierLimit);
  const open: { id: number; until: number }[] = [];
  for (const wallet of wallets) await tryPost(ledger.db, postingBetween(float, wallet, ENOUGH, named()));
  let turns = 0;
  const account = () => wallets[++turns % 2 === 0 ? 0 : 1];

  const rule = async (limit: bigint | null, at: Date) => {
    const dailyLimit = limit === null ? null : asMinor(limit);
    await ledger.db.transaction(async (tx) => {
      for (const wallet of wallets) await changeRules(tx, wallet, { dailyLimit }, at);
    });
  };
  const spending = {
    async transfer(amount: bigint, at: Date) {
      const from = account();
      const posting = { ...postingBetween(from, other, amount, named()), limitAccount: from, defaultDailyLimit };
      const outcome = await tryPost(ledger.db, posting, at);
      return 'refusal' in outcome ? outcome.refusal : outcome.status;
    },
    async hold(amount: bigint, at: Date) {
      const until = at.getTime() + HOLD_MS;
      const expiresAt = new Date(until);
      const request = { ...named(), account: account(), amount: asMinor(amount), expiresAt, defaultDailyLimit };
      try {
        open.push({ id: await placeHold(ledger.db, request, at), until });
        return 'OPEN';
      } catch (error) {
        if (error instanceof DomainError) return error.code;
        throw error;
      }
    },
    async release(_amount: bigint, at: Date) {
      const held = open.pop();
      if (held === undefined) return 'nothing';
      return (await releaseHold(ledger.db, held.id, at)) ? 'released' : 'was closed';
    },
    async expire(_amount: bigint, at: Date) {
      const expired = await expireHolds(ledger.db, 1_000, at);
      for (const held of open.filter(({ until }) => until <= at.getTime())) open.splice(open.indexOf(held), 1);
      return `${expired} expired`;
    },
    async setLimit(amount: bigint, at: Date) {
      await rule(amount, at);
      return 'set';
    },
    async unsetLimit(_amount: bigint, at: Date) {
      await rule(null, at);
      return 'unset';
    },
  } satisfies Spending;
  return {
    ...spending,
    wallets,
    holder,
    async end() {
      for (const { id } of open) await releaseHold(ledger.db, id);
    },
  };
}

const dailyLimits = { 1: 5_000n, 2: 20_000n, 3: 500_000n };
const MINUTE_MS = 60_000;
/** Ten in the evening in Lagos, two hours before its midnight. */
const START = Date.UTC(2025, 10, 20, 21, 0);

const ledger = useLedger();
const accountOf = async (id: number) => {
  const { rows } = await ledger.pool.query('select * from ledger.account where id = $1', [id]);
  const { daily_limit: own, holder_id: holderId } = rows[0];
  return { dailyLimit: own === null ? null : BigInt(own), holderId };
};

describe('the limit of a day', () => {
  it('a day begins and ends in Lagos, and is the same day in SQL', async () => {
    expect(businessDay(new Date('2025-11-20T22:59:59.999Z'))).toBe('2025-11-20');
    expect(businessDay(new Date('2025-11-20T23:00:00.000Z'))).toBe('2025-11-21');
    const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(moment, async (at) => {
        const { rows } = await ledger.pool.query('select ledger.business_day($1)::text as day', [at.toISOString()]);
        expect(rows[0].day).toBe(businessDay(at));
      }),
    );
  });
});

/** What happens to a wallet, and the minutes that pass before it. */
const steps = fc.array(
  fc.record({
    minutes: fc.constantFrom(0, 5, 60, 120, 24 * 60),
    amount: fc.bigInt(1n, 9_000n),
    what: fc.constantFrom(...spendingSteps),
  }),
  { minLength: 1, maxLength: 25 },
);

it('transfers and holds out of all wallets of a holder count on their day in Lagos, what is released the same day does not, and nothing goes past the limit', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      const wallet = await openSpender(ledger, dailyLimits[1]);
      const model = new SpendingModel(dailyLimits[1]);
      let now = START;
      for (const { minutes, amount, what } of todo) {
        now += minutes * MINUTE_MS;
        const at = new Date(now);
        expect(await wallet[what](amount, at)).toBe(model[what](amount, at));
        for (const account of wallet.wallets) {
          const today = await dailyLimitAt(ledger.db, await accountOf(account), { tier: 1, dailyLimits, at });
          expect(today).toEqual(model.today(at));
        }
      }
      await wallet.end();
    }),
    { numRuns: repetitions({ short: 15, soak: 400 }) },
  );
});

const day = (number: number, hour = 12) => new Date(Date.UTC(2025, 5, number, hour));

/** A wallet that got 10.00 on each of the days and paid 3.00 an hour later. */
async function walletOf(days: readonly number[]): Promise<Book> {
  const book = await ledger.newBook(1_000_000n);
  for (const number of days) {
    const named = (what: string) => ({ owner: book.partner, partner: book.partner, reference: `${what}-${number}` });
    await post(ledger.db, postingBetween(book.float, book.wallet, 1_000n, named('in')), day(number));
    await post(ledger.db, postingBetween(book.float, book.wallet, -300n, named('out')), day(number, 13));
  }
  return book;
}

async function statementOf({ wallet }: Book, from: Date, to: Date) {
  const { rows: accounts } = await ledger.pool.query('select version from ledger.account where id = $1', [wallet]);
  const account = { id: wallet, version: Number(accounts[0].version) };
  const { pages, ...totals } = await statementData((read) => read(ledger.db), { account, from, to });
  return { totals, references: (await Array.fromAsync(pages)).flat().map(({ reference }) => reference) };
}

describe('a statement', () => {
  it('opens with what was there before and closes with what is left, the rows oldest first', async () => {
    const book = await walletOf([1, 2, 3, 4]);
    expect(await statementOf(book, day(2, 0), day(4, 0))).toEqual({
      totals: { opening: 700n, credits: 2_000n, debits: 600n, closing: 2_100n, count: 4 },
      references: ['in-2', 'out-2', 'in-3', 'out-3'],
    });
  });

  it('begins at its first moment and ends just before its last', async () => {
    const book = await walletOf([1, 2]);
    const { totals, references } = await statementOf(book, day(1, 13), day(2, 13));
    expect(totals).toMatchObject({ opening: 1_000n, closing: 1_700n });
    expect(references).toEqual(['out-1', 'in-2']);
  });

  it('of a time when nothing happened, before, between or after, says the balance it had', async () => {
    const book = await walletOf([1, 9]);
    const nothing = (balance: bigint) => ({
      totals: { opening: balance, credits: 0n, debits: 0n, closing: balance, count: 0 },
      references: [],
    });
    expect(await statementOf(book, new Date(0), day(1, 0))).toEqual(nothing(0n));
    expect(await statementOf(book, day(3), day(4))).toEqual(nothing(700n));
    expect(await statementOf(book, day(20), day(21))).toEqual(nothing(1_400n));
  });

  it('of a wallet that nothing ever moved is empty', async () => {
    const book = await ledger.newBook();
    expect(await statementOf(book, day(1), day(2))).toEqual({
      totals: { opening: 0n, credits: 0n, debits: 0n, closing: 0n, count: 0 },
      references: [],
    });
  });

  it('longer than what is read at once is whole', async () => {
    const book = await ledger.newBook(1_000_000n);
    const posting = (index: number) => {
      const names = { owner: book.partner, partner: book.partner, reference: `r${index}` };
      return postingJson(postingBetween(book.float, book.wallet, 1n, names));
    };
    const batch = Array.from({ length: 1_203 }, (_, index) => posting(index));
    await ledger.pool.query('select count(*) from ledger.post($1::jsonb, $2)', [`[${batch.join()}]`, day(1)]);
    const { totals, references } = await statementOf(book, day(1, 0), day(2, 0));
    expect(totals).toMatchObject({ credits: 1_203n, closing: 1_203n, count: 1_203 });
    expect(references).toEqual(Array.from({ length: 1_203 }, (_, index) => `r${index}`));
  });
});
