import { type StateOf, statesOf } from '#lib/state-machine.ts';

/** Where a tag may go. A closed one stays closed. */
export const tagTransitions = {
  ACTIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ACTIVE', 'CLOSED'],
  CLOSED: [],
} as const;

export type TagStatus = StateOf<typeof tagTransitions>;
export const tagStatuses = statesOf(tagTransitions);

/** How long the handle of a closed tag stays taken. */
const QUARANTINE_MS = 90 * 24 * 60 * 60 * 1000;

/** When the handle of a tag that was closed at `closedAt` is free again. */
export const availableFrom = (closedAt: Date): Date => new Date(closedAt.getTime() + QUARANTINE_MS);

/** Handles of tags closed no later than this are free now. */
export const quarantineEnd = (now: Date): Date => new Date(now.getTime() - QUARANTINE_MS);
