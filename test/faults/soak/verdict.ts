/** Everything that waits is sent, retried and given up in this time, once nothing goes wrong any more. */
export const QUIET_MAX_MS = 300_000;

/** A promise, and what breaks it. */
export interface Verdict {
  readonly promise: string;
  readonly broken: readonly string[];
  /** What it was held against, in numbers. */
  readonly looked: string;
}

/** A promise that was held against nothing was not held: what breaks it then. */
export const atLeastOne = (count: number, what: string): string[] => (count > 0 ? [] : [`no ${what}`]);
