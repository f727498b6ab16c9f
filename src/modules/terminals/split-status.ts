/** Where a split's status may go. Cancelled and Expired besides only while nothing is paid. */
const moves = {
  Pending: ['Paid', 'Cancelled', 'Expired'],
  Paid: [],
  Cancelled: [],
  Expired: [],
} as const satisfies Record<string, readonly string[]>;

export type SplitStatus = keyof typeof moves;

export const splitStatuses = ['Pending', 'Paid', 'Cancelled', 'Expired'] as const satisfies readonly SplitStatus[];

/** The statuses from which a split may become this one. */
export const leadingTo = (next: SplitStatus): SplitStatus[] =>
  splitStatuses.filter((status) => moves[status].some((allowed) => allowed === next));
