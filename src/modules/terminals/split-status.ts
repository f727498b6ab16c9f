import { type StateOf, statesOf } from '#lib/state-machine.ts';

/** The transitions of a split. Cancelled and Expired also need that nothing is paid. */
export const splitTransitions = {
  Pending: ['Paid', 'Cancelled', 'Expired'],
  Paid: [],
  Cancelled: [],
  Expired: [],
} as const;

export type SplitStatus = StateOf<typeof splitTransitions>;
export const splitStatuses = statesOf(splitTransitions);
