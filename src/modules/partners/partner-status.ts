export const partnerStatuses = ['ACTIVE', 'SUSPENDED'] as const;

/** What an operator does to a partner: from which status, and to which. */
export const statusChanges = {
  suspend: { from: 'ACTIVE', to: 'SUSPENDED' },
  restore: { from: 'SUSPENDED', to: 'ACTIVE' },
} as const;

export type StatusChange = keyof typeof statusChanges;
