export const applicationStatuses = ['PENDING', 'ACTIVE', 'SUSPENDED'] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

/** What the operator may do to an application: in which statuses, and the status it then has. */
export const applicationActions = {
  approve: { from: ['PENDING'], to: 'ACTIVE' },
  suspend: { from: ['PENDING', 'ACTIVE'], to: 'SUSPENDED' },
  restore: { from: ['SUSPENDED'], to: 'ACTIVE' },
} as const satisfies Record<string, { from: readonly ApplicationStatus[]; to: ApplicationStatus }>;

export type ApplicationAction = keyof typeof applicationActions;
