export type { Approval, StoredInput, WaitingOperation } from './approval.ts';
export { approvalTransitions } from './approval-status.ts';
export { approveRequest } from './approve-request.ts';
export { askForApproval, wasDone } from './ask-for-approval.ts';
export {
  type AuthenticatedOperator,
  authenticateOperator,
  type OperatorAuthentication,
} from './authenticate-operator.ts';
export { changeOperatorRole, disableOperator, enableOperator, rotateOperatorToken } from './change-operator.ts';
export { authenticateSession, signIn, signOut } from './console-session.ts';
export { type ConsoleSession, endConsoleSession, listConsoleSessions } from './console-sessions.ts';
export { createOperator } from './create-operator.ts';
export { expireApprovals } from './expire-approvals.ts';

export { listOperators } from './list-operators.ts';

export { findApproval, listApprovals, readApproval } from './read-approvals.ts';
export { rejectRequest } from './reject-request.ts';
export { mayDo, type Role, roles } from './roles.ts';
export { room, waitingApprovals } from './room.ts';
export type { Operator } from './store.ts';
export { operatorStatuses } from './tables.ts';
