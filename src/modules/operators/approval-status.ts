/** From PENDING on: approved, then executed or refused by its own rules; or rejected; or left until it expired. */
export const approvalTransitions = {
  PENDING: ['APPROVED', 'REJECTED', 'EXPIRED'],
  APPROVED: ['EXECUTED', 'FAILED'],
  EXECUTED: [],
  FAILED: [],
  REJECTED: [],
  EXPIRED: [],
} as const;

export type ApprovalStatus = keyof typeof approvalTransitions;
