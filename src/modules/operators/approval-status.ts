/** From PENDING: approved, then executed or failed by its own rules; or rejected; or expired. */
export const approvalTransitions = {
  PENDING: ['APPROVED', 'REJECTED', 'EXPIRED'],
  APPROVED: ['EXECUTED', 'FAILED'],
  EXECUTED: [],
  FAILED: [],
  REJECTED: [],
  EXPIRED: [],
} as const;

export type ApprovalStatus = keyof typeof approvalTransitions;
