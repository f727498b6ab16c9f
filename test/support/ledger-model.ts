import { type Account, asMinor, type Leg, negated, type Posting } from '#modules/ledger';

type Status = Account['status'];

export interface ModelAccount {
  /** True of our own accounts: no floor, no balances in their entries. */
  system: boolean;
  posted: bigint;
  suspended: bigint;
  liens: bigint;
  status: Status;
  limit: bigint | null;
  /** What each day has spent. */
  spent: Map<number, bigint>;
}

export interface ModelTransaction {
  posting: Posting;
  status: 'Pending' | 'Successful' | 'Failed' | 'Reversed';
  code: string | undefined;
  refunded: bigint;
  day: number;
  /** What its first request was answered, and every repeated one is. */
  answer: ModelOutcome;
  entries: { account: number; amount: bigint; opening: bigint | null; closing: bigint | null }[];
}

interface ModelHold {
  content: string;
  account: number;
  amount: bigint;
  state: string;
  day: number | undefined;
  expiresAt: Date;
}

export interface ModelOutcome {
  outcome: string;
  replayed: boolean;
  entries: ModelTransaction['entries'];
}

/** Minor units: the largest amount that a JSON number of naira carries exactly. */
export const BALANCE_MAX = 999_999_999_999_999n;

/** What a repeated request must repeat: what was asked for, and not the charges or limits it met. */
const contentOf = (p: Posting): string =>
  [p.type, p.amount, p.source, p.destination, p.comment, p.original, p.hold, p.limitAccount].join();

/** Africa/Lagos is an hour before UTC all year round. */
const dayOf = (at: Date): number => Math.floor((at.getTime() + 3_600_000) / 86_400_000);

/** The rules of the ledger in their plainest form: one thing after another, in memory. Accounts go by their index. */
export class LedgerModel {
  readonly accounts: ModelAccount[] = [];
  readonly transactions: ModelTransaction[] = [];
  readonly holds: ModelHold[] = [];
  readonly liens: { account: number; amount: bigint; lifted: boolean }[] = [];
  /** Noon in Lagos: the first midnight is twelve hours off. */
  readonly start = new Date('2026-03-01T11:00:00Z');
  now = this.start;

  open(system: boolean, posted = 0n): number {
    const fresh = { system, posted, suspended: 0n, liens: 0n, status: 'Enabled', limit: null } as const;
    return this.accounts.push({ ...fresh, spent: new Map() }) - 1;
  }

  account(id: number): ModelAccount {
    const found = this.accounts[id];
    if (found === undefined) throw new Error(`the model has no account ${id}`);
    return found;
  }

  spentToday = (id: number): bigint => this.account(id).spent.get(dayOf(this.now)) ?? 0n;

  available(id: number): bigint {
    const { posted, suspended, liens } = this.account(id);
    const free = posted - suspended - liens;
    return free > 0n ? free : 0n;
  }

  post(posting: Posting): ModelOutcome {
    const known = this.transactions.find((one) => one.posting.reference === posting.reference);
    if (known !== undefined) {
      if (contentOf(known.posting) === contentOf(posting)) return { ...known.answer, replayed: true };
      return { outcome: 'REFERENCE_REUSED', replayed: true, entries: [] };
    }
    const original = posting.original === undefined ? undefined : this.transactions[posting.original];
    const hold = posting.hold === undefined ? undefined : this.holds[posting.hold];
    const waits = (leg: Leg): boolean => posting.suspenseAccount !== undefined && !this.takes(leg, posting.arrived);
    const isPending = posting.legs.some(waits);
    const legs = posting.legs.map((leg) => (waits(leg) ? { ...leg, account: posting.suspenseAccount ?? 0 } : leg));
    const code = this.refusal(posting, legs, original, hold);
    const status = code === undefined ? (isPending ? 'Pending' : 'Successful') : 'Failed';
    const answer = { outcome: code ?? status, replayed: false, entries: [] };
    const written: ModelTransaction = {
      posting,
      status,
      code,
      refunded: 0n,
      day: dayOf(this.now),
      answer,
      entries: [],
    };
    this.transactions.push(written);
    if (code !== undefined) return answer;

    if (original !== undefined) {
      const refunded =
        original.posting.original === undefined ? undefined : this.transactions[original.posting.original];
      if (original.status === 'Pending' && refunded !== undefined) {
        refunded.refunded -= original.posting.amount;
        if (refunded.status === 'Reversed') refunded.status = 'Successful';
      }
      original.refunded += posting.amount;
      if (original.refunded === original.posting.amount) original.status = 'Reversed';
      const { type, source } = original.posting;
      if (posting.reverses === true && type === 'TRANSFER') {
        const left = original.answer.entries.find(({ account }) => account === source);
        this.spend(source, left?.amount ?? 0n, original.day);
      }
    }
    if (hold !== undefined) {
      hold.state = 'CAPTURED';
      const taken = legs.find((leg) => leg.account === hold.account)?.amount ?? 0n;
      this.account(hold.account).suspended -= hold.amount;
      this.spend(hold.account, -hold.amount - taken, hold.day);
    } else if (posting.limitAccount !== undefined) {
      const taken = legs.find((leg) => leg.account === posting.limitAccount)?.amount ?? 0n;
      this.spend(posting.limitAccount, negated(asMinor(taken)), dayOf(this.now));
    }
    this.write(written, legs);
    written.answer = { ...answer, entries: [...written.entries] };
    return written.answer;
  }

  /** @returns the hold's state, or why it is refused */
  hold(request: {
    index: number;
    account: number;
    amount: bigint;
    expiresAt: Date;
    limit: bigint | undefined;
  }): string {
    const { index, account: id, amount, expiresAt, limit } = request;
    const content = [id, amount, expiresAt.getTime()].join();
    const known = this.holds[index];
    if (known !== undefined) return known.content === content ? known.state : 'REFERENCE_REUSED';
    const account = this.account(id);
    const state = this.holdRefusal(id, amount, limit) ?? 'OPEN';
    const day = limit === undefined ? undefined : dayOf(this.now);
    this.holds.push({ content, account: id, amount, expiresAt, state, day });
    if (state !== 'OPEN') return state;
    account.suspended += amount;
    this.spend(id, amount, day);
    return state;
  }

  /** Ends the open holds of which `ends` is true. @returns how many */
  close(state: 'RELEASED' | 'EXPIRED', ends: (hold: ModelHold, index: number) => boolean): number {
    const ended = this.holds.filter((hold, index) => hold.state === 'OPEN' && ends(hold, index));
    for (const hold of ended) {
      hold.state = state;
      this.account(hold.account).suspended -= hold.amount;
      this.spend(hold.account, -hold.amount, hold.day);
    }
    return ended.length;
  }

  /** Settles those pending refunds that their wallet takes and of which `which` is true. @returns how many */
  settle(which: (one: ModelTransaction, index: number) => boolean): number {
    let settled = 0;
    for (const [index, one] of this.transactions.entries()) {
      if (one.status !== 'Pending' || !which(one, index)) continue;
      const { destination, suspenseAccount = 0 } = one.posting;
      const parked = asMinor(one.answer.entries.find(({ account }) => account === suspenseAccount)?.amount ?? 0n);
      if (!this.takes({ account: destination, amount: parked }, true)) continue;
      one.status = 'Successful';
      settled += 1;
      this.write(one, [
        { account: suspenseAccount, amount: negated(parked) },
        { account: destination, amount: parked },
      ]);
    }
    return settled;
  }

  /** Whether an account can have money now. A full one is refused it, unless the money has arrived. */
  private takes({ account: id, amount }: Pick<Leg, 'account' | 'amount'>, hasArrived = false): boolean {
    const { system, status, posted } = this.account(id);
    if (system || amount <= 0n) return true;
    return !['Blocked', 'PNC'].includes(status) && !(hasArrived && posted + amount > BALANCE_MAX);
  }

  private spend(id: number, amount: bigint, day: number | undefined): void {
    if (day === undefined) return;
    const { spent } = this.account(id);
    spent.set(day, (spent.get(day) ?? 0n) + amount);
  }

  private write(one: ModelTransaction, legs: readonly { account: number; amount: bigint }[]): void {
    for (const { account: id, amount } of legs) {
      const account = this.account(id);
      const opening = account.posted;
      account.posted += amount;
      const balances = account.system ? { opening: null, closing: null } : { opening, closing: account.posted };
      one.entries.push({ account: id, amount, ...balances });
    }
  }

  private refusal(
    posting: Posting,
    legs: readonly Leg[],
    original: ModelTransaction | undefined,
    hold: ModelHold | undefined,
  ): string | undefined {
    const { predecidedRefusal, amount, limitAccount, defaultDailyLimit } = posting;
    if (predecidedRefusal !== undefined) return predecidedRefusal;
    if (hold !== undefined && hold.state !== 'OPEN') return 'HOLD_NOT_OPEN';
    if (hold !== undefined && hold.expiresAt <= this.now) return 'HOLD_EXPIRED';
    if (original !== undefined && posting.reverses === true) {
      const isWhole = ['Successful', 'Pending'].includes(original.status) && original.refunded === 0n;
      if (!isWhole) return 'TRANSACTION_NOT_REVERSIBLE';
    } else if (original !== undefined) {
      if (original.status === 'Failed' || original.status === 'Pending') return 'TRANSACTION_NOT_REFUNDABLE';
      if (original.refunded + amount > original.posting.amount) return 'REFUND_EXCEEDS';
    }
    const of = (leg: Leg): ModelAccount => this.account(leg.account);
    if (legs.some((leg) => of(leg).status === 'Blocked')) return 'WALLET_BLOCKED';
    if (legs.some((leg) => of(leg).status === 'PND' && leg.amount < 0n)) return 'WALLET_PND';
    if (legs.some((leg) => of(leg).status === 'PNC' && leg.amount > 0n)) return 'WALLET_PNC';
    const debits = legs.filter((leg) => leg.amount < 0n && !of(leg).system);
    const takenFrom = (leg: Leg): bigint =>
      leg.account === hold?.account ? hold.amount : of(leg).posted - of(leg).suspended - of(leg).liens;
    const short = debits.find((leg) => takenFrom(leg) + leg.amount < 0n);
    if (short !== undefined) return short.account === hold?.account ? 'HOLD_EXCEEDED' : 'INSUFFICIENT_FUNDS';
    const over = legs.some((leg) => !of(leg).system && of(leg).posted + leg.amount > BALANCE_MAX);
    if (over) return 'BALANCE_EXCEEDED';
    const spending = debits.find((leg) => hold === undefined && leg.account === limitAccount);
    const limit = spending === undefined ? undefined : (of(spending).limit ?? defaultDailyLimit);
    if (spending === undefined || limit === undefined) return undefined;
    return this.spentToday(spending.account) - spending.amount > limit ? 'LIMIT_EXCEEDED' : undefined;
  }

  private holdRefusal(id: number, amount: bigint, limit: bigint | undefined): string | undefined {
    const account = this.account(id);
    if (account.status === 'Blocked') return 'WALLET_BLOCKED';
    if (account.status === 'PND') return 'WALLET_PND';
    if (account.posted - account.suspended - account.liens < amount) return 'INSUFFICIENT_FUNDS';
    if (limit !== undefined && this.spentToday(id) + amount > (account.limit ?? limit)) return 'LIMIT_EXCEEDED';
    return undefined;
  }
}
