import { type StateOf, statesOf } from '#lib/state-machine.ts';

/** Where a tag may go. A closed one stays closed. */
export const tagTransitions = {
  ACTIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ACTIVE', 'CLOSED'],
  CLOSED: [],
} as const;

export type TagStatus = StateOf<typeof tagTransitions>;
export const tagStatuses = statesOf(tagTransitions);

/** How long nobody can have the handle of a tag that was closed. */
const QUARANTINE_MS = 90 * 24 * 60 * 60 * 1000;

/** From when on somebody else can have the handle of a tag closed then. */
export const availableFrom = (closedAt: Date): Date => new Date(closedAt.getTime() + QUARANTINE_MS);

/** Handles of tags closed no later than this can be had now. */
export const quarantineEnd = (now: Date): Date => new Date(now.getTime() - QUARANTINE_MS);
