import { statesOf } from '#lib/state-machine.ts';

/**
 * What became of a line of the bank or a posting of ours. MATCHED: each has the other. OURS_ALONE, THEIRS_ALONE: the other is
 * missing. AMOUNT_DIFFERS, DAY_DIFFERS: by their reference they are one, and say different things of it. DUPLICATE: a second
 * line of what has one already. REPEATED: the same line stood in an earlier file, or one that nothing tells apart from it. TIMING:
 * the other is missing, and expected. RESOLVED: the difference was posted.
 */
export const itemTransitions = {
  OURS_ALONE: ['MATCHED', 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'TIMING', 'RESOLVED'],
  THEIRS_ALONE: ['MATCHED', 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'TIMING', 'RESOLVED'],
  DUPLICATE: ['MATCHED', 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'TIMING', 'RESOLVED'],
  AMOUNT_DIFFERS: ['RESOLVED'],
  DAY_DIFFERS: ['MATCHED'],
  TIMING: ['MATCHED', 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'RESOLVED'],
  MATCHED: [],
  REPEATED: ['DUPLICATE'],
  RESOLVED: [],
} as const;

export type ItemStatus = keyof typeof itemTransitions;

export const itemStatuses = statesOf(itemTransitions);

/** What an operator may do with an item: pair it, wait for its other side, report it, post the difference, or call it another one than it was taken for. */
export const resolutions = ['MATCH', 'TIMING', 'BOOK', 'POST', 'DISTINCT'] as const;
