/** How much of something there may be. */
export interface Limit {
  /** What is counted, in the plural: the refusal says `too many …`. Limits of one name share their counts. */
  name: string;
  /** What may be spent before it closes; 0 turns the limit off. */
  points: number;
  /** Without `delays`, spending begins anew this long after its first point; with them, this long after its last. */
  windowS: number;
  /** Spent, it closes for `firstS` and then lets one more through, closing twice as long after each, `maxS` at most. */
  delays?: { firstS: number; maxS: number };
}

/** A limit as a store needs it. */
export interface StoredLimit {
  points: number;
  windowMs: number;
  /** 0: it stays closed until the window is over. */
  firstDelayMs: number;
  maxDelayMs: number;
}

/**
 * Counts, for any number of processes. Each call is one atomic step, so that of many at once none is let through too many.
 * Times are the caller's: milliseconds since 1970.
 */
export interface CounterStore {
  /** Spends `cost`, unless it is closed: then spends nothing and answers how long it stays so. 0: it was let through. */
  spend(key: Buffer, limit: StoredLimit, cost: number, nowMs: number): Promise<number>;
  /** For how long it stays closed; 0 when it is open. Spends nothing. */
  closedFor(key: Buffer, nowMs: number): Promise<number>;
  /** Takes back a spending that came to nothing: what it had closed is open. */
  giveBack(key: Buffer, cost: number): Promise<void>;
  /** Forgets what was spent. */
  reset(key: Buffer): Promise<void>;
}
