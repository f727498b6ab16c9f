import type { Minor } from '#modules/ledger';

export const signNames = [
  'APPROVALS_WAITING',
  'PAYOUTS_UNKNOWN',
  'PAYOUTS_CONTRADICTED',
  'IN_SUSPENSE',
  'MESSAGES_DIFFER',
  'AT_THE_BANK_ALONE',
  'IN_OUR_BOOKS_ALONE',
  'DISPUTES_OPEN',
  'DISPUTES_DUE',
  'APPLICATIONS_WAITING',
  'FLOATS_LOW',
  'DELIVERIES_WAITING',
  'DELIVERIES_HELD',
  'DELIVERIES_FAILED',
  'RECEIVERS_FAILING',
  'RECEIVERS_PAUSED',
  'BOOKS_SEALED',
  'BOOKS_CHECKED',
  'LOGINS_THROTTLED',
  'PROVIDERS_DOWN',
] as const;

/** GOOD: nothing to do. WAITS: for somebody, by and by. WRONG: for somebody now. UNKNOWN: it cannot be told yet. */
export const signStates = ['GOOD', 'WAITS', 'WRONG', 'UNKNOWN'] as const;

/** One thing that may be wrong. */
export interface Sign {
  name: (typeof signNames)[number];
  state: (typeof signStates)[number];
  /** How many there are; undefined of what is not counted. */
  count?: number | undefined;
  /** False: there are more than `count`. */
  countIsExact?: boolean | undefined;
  /** What they amount to, minor units of naira. */
  amount?: Minor | undefined;
  /** Since when the first of them waits, or when it was last as it should be. */
  since?: Date | undefined;
}

/** A sign of what there should be none of. */
export function signOf(
  name: Sign['name'],
  {
    bad,
    count,
    countIsExact,
    since,
  }: { bad: 'WAITS' | 'WRONG'; count: number; countIsExact: boolean; since?: Date | undefined },
): Sign {
  return { name, state: count === 0 ? 'GOOD' : bad, count, countIsExact, since };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What failed before then has been seen. */
export const justBefore = (at: Date): Date => new Date(at.getTime() - DAY_MS);

/** A dispute that has to be answered by then is near its end. */
export const soonFrom = (at: Date): Date => new Date(at.getTime() + DAY_MS);
