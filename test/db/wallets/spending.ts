import { DomainError } from '#lib/domain-error.ts';
import { asMinor, businessDay, changeRules, expireHolds, placeHold, releaseHold } from '#modules/ledger';
import type { TestLedger } from '../../support/ledger.ts';
import { tryPost } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

const HOLD_MS = 3 * 60 * 60 * 1000;
const ENOUGH = 1_000_000_000n;

/** What can happen to a wallet that has a daily limit. */
export const spendingSteps = ['transfer', 'hold', 'release', 'expire', 'setLimit', 'unsetLimit'] as const;

/** Each answers in one word what came of it. */
type Spending = Record<(typeof spendingSteps)[number], (amount: bigint, at: Date) => string | Promise<string>>;

/** What the books must do with the limit of a wallet, in a few lines that know nothing of them. */
export class SpendingModel implements Spending {
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
export async function openSpender(ledger: TestLedger, tierLimit: bigint) {
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
