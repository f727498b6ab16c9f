export type { Approval, StoredInput, WaitingOperation } from './approval.ts';
export { approvalTransitions } from './approval-status.ts';
export { approveRequest } from './approve-request.ts';
export { askForApproval, wasDone } from './ask-for-approval.ts';
export { expireApprovals } from './expire-approvals.ts';
export { findApproval, listApprovals, readApproval } from './read-approvals.ts';
export { rejectRequest } from './reject-request.ts';
export { room, waitingApprovals } from './room.ts';
