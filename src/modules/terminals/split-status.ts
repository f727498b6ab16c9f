import { type StateOf, statesOf } from '#lib/state-machine.ts';

/** Where a split's status may go. Cancelled and Expired besides only while nothing is paid. */
export const splitTransitions = {
  Pending: ['Paid', 'Cancelled', 'Expired'],
  Paid: [],
  Cancelled: [],
  Expired: [],
} as const;

export type SplitStatus = StateOf<typeof splitTransitions>;
export const splitStatuses = statesOf(splitTransitions);
