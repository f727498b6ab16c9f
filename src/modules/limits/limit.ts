import type { SecurityEvent } from '#lib/security-events.ts';

/** How often something may happen. */
export interface Limit {
  /** The counted things, in the plural: the refusal says `too many …`. Limits of one name share their counts. */
  name: string;
  /** The number let through before it closes; 0 turns the limit off. */
  points: number;
  /** The count restarts this long after its first point; with `delays`, after its last. */
  windowS: number;
  /** Once used up, it closes for `firstS`, lets one through, and doubles the time after each, up to `maxS`. */
  delays?: { firstS: number; maxS: number };
  /** The security event of a refusal; `rate_limited` by default. */
  event?: SecurityEvent;
  /** Callers are not refused when it is used up, so it is not listed as refusing. */
  isUnlisted?: true;
}

/** A limit as a store needs it. */
export interface StoredLimit {
  /** The limit's name, and our ids in the counted key, for the list of refusing limits. Undefined: never listed. */
  name: string | undefined;
  about: string | undefined;
  points: number;
  windowMs: number;
  /** 0: it stays closed until the window ends. */
  firstDelayMs: number;
  maxDelayMs: number;
}

/** A counter that currently refuses. */
export interface ClosedCounter {
  key: Buffer;
  name: string;
  about: string | undefined;
  spent: number;
  until: Date;
}

/** A position in the list of refusing counters. */
export type ClosedAt = Pick<ClosedCounter, 'key' | 'until'>;

/** The order of the list. */
export const inOrder = (one: ClosedAt, other: ClosedAt): number =>
  other.until.getTime() - one.until.getTime() || Buffer.compare(other.key, one.key);

/**
 * Counters for any number of processes. Each call is atomic, so that no burst of calls exceeds the limit. The caller passes times, in
 * milliseconds since 1970.
 */
export interface CounterStore {
  /** Counts `cost`, unless the limit is closed: then it counts nothing. @returns ms until it opens; 0: it was let through */
  spend(key: Buffer, limit: StoredLimit, cost: number, nowMs: number): Promise<number>;
  /**
   * Counts nothing.
   *
   * @param inTurn queues behind the calls that count, instead of overtaking earlier ones
   * @returns ms until the limit opens; 0 when it is open
   */
  closedFor(key: Buffer, nowMs: number, inTurn?: boolean): Promise<number>;
  /** Takes back a count, and reopens the limit if it had closed. */
  giveBack(key: Buffer, cost: number): Promise<void>;
  /** Sets the count back to zero. */
  reset(key: Buffer): Promise<void>;
  /**
   * The refusing counters, latest to open first, then by greatest key; at most `max`.
   *
   * @param behind continues after this one
   * @param names only limits with these names
   */
  closed(nowMs: number, max: number, behind?: ClosedAt, names?: ReadonlySet<string>): Promise<ClosedCounter[]>;
  /** The number of refusing counters. */
  countClosed(nowMs: number, max: number, names?: ReadonlySet<string>): Promise<number>;
  /** One of them; undefined if it is open. */
  findClosed(key: Buffer, nowMs: number, names?: ReadonlySet<string>): Promise<ClosedCounter | undefined>;
}

/**
 * The names of limits on guesses and codes. PostgreSQL counts these even with Redis: a slow, flushed or absent Redis would restart a
 * count, and allow twice as many guesses.
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
