import type { SecurityEvent } from '#lib/security-events.ts';

/** How often something may happen. */
export interface Limit {
  /** What is counted, in the plural: the refusal says `too many …`. Limits of one name share their counts. */
  name: string;
  /** How much is let through before it closes; 0 turns the limit off. */
  points: number;
  /** The count starts again so long after its first point; with `delays`, so long after its last. */
  windowS: number;
  /** Once used up, it closes for `firstS`, lets one through, and closes for twice as long after each, for `maxS` at most. */
  delays?: { firstS: number; maxS: number };
  /** What a refusal is logged as; `rate_limited` by default. */
  event?: SecurityEvent;
  /** Used up it refuses nobody, so that it is not listed among what is refused. */
  refusesNobody?: true;
}

/** A limit as a store needs it. */
export interface StoredLimit {
  /** What is counted, and whom it is about as far as our ids say: for whoever asks what is refused. None: it is never listed. */
  name: string | undefined;
  about: string | undefined;
  points: number;
  windowMs: number;
  /** 0: it stays closed until the window ends. */
  firstDelayMs: number;
  maxDelayMs: number;
}

/** A counter that refuses now. */
export interface ClosedCounter {
  key: Buffer;
  name: string;
  about: string | undefined;
  spent: number;
  until: Date;
}

/** A place among those that refuse now. */
export type ClosedAt = Pick<ClosedCounter, 'key' | 'until'>;

/** In the order in which they are listed. */
export const inOrder = (one: ClosedAt, other: ClosedAt): number =>
  other.until.getTime() - one.until.getTime() || Buffer.compare(other.key, one.key);

/**
 * Counters for any number of processes. Each call is one atomic step, so that no burst of calls gets more through than the
 * limit. Times are given by the caller, in milliseconds since 1970.
 */
export interface CounterStore {
  /** Counts `cost`, unless the limit is closed: then it counts nothing. @returns ms until it opens; 0: it was let through */
  spend(key: Buffer, limit: StoredLimit, cost: number, nowMs: number): Promise<number>;
  /**
   * Counts nothing.
   *
   * @param inTurn waits its turn among the calls that count, instead of being answered before those that came first
   * @returns ms until the limit opens; 0 when it is open
   */
  closedFor(key: Buffer, nowMs: number, inTurn?: boolean): Promise<number>;
  /** Takes back what was counted, and opens what that had closed. */
  giveBack(key: Buffer, cost: number): Promise<void>;
  /** Sets the count back to zero. */
  reset(key: Buffer): Promise<void>;
  /**
   * Those that refuse now, the one first that opens last, and of those that open together the greatest key; so many at most.
   *
   * @param behind goes on behind this one
   * @param names of limits: only those
   */
  closed(nowMs: number, max: number, behind?: ClosedAt, names?: ReadonlySet<string>): Promise<ClosedCounter[]>;
  /** How many refuse now. */
  countClosed(nowMs: number, max: number, names?: ReadonlySet<string>): Promise<number>;
  /** One of them; undefined where it is open. */
  findClosed(key: Buffer, nowMs: number, names?: ReadonlySet<string>): Promise<ClosedCounter | undefined>;
}

/**
 * What is guessed at, and what there is to guess: by the names of limits. PostgreSQL counts these, also where there is a Redis:
 * one that is slow, flushed or away would have a count begin anew, and let twice as many guesses through.
 */
export const GUESSES: ReadonlySet<string> = new Set([
  'logins',
  'login credits',
  'wrong answers',
  'wrong codes',
  'codes sent',
  'linking codes',
  'BVNs',
  'unknown BVNs',
]);
