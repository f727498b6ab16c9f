/** What an operator does to an application: from which statuses, and to which. */
export const statusChanges = {
  approve: { from: ['PENDING'], to: 'ACTIVE' },
  suspend: { from: ['PENDING', 'ACTIVE'], to: 'SUSPENDED' },
  restore: { from: ['SUSPENDED'], to: 'ACTIVE' },
} as const;

export type StatusChange = keyof typeof statusChanges;

export const applicationStatuses = ['PENDING', 'ACTIVE', 'SUSPENDED'] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];
