export type { Approval, StoredInput, WaitingOperation } from './approval.ts';
export { approvalTransitions } from './approval-status.ts';
export { askForApproval, findApproval, listApprovals, readApproval, wasDone } from './ask-for-approval.ts';
export {
  type AuthenticatedOperator,
  authenticateOperator,
  type OperatorAuthentication,
} from './authenticate-operator.ts';
export {
  authenticateSession,
  type ConsoleSession,
  endConsoleSession,
  listConsoleSessions,
  signIn,
  signOut,
} from './console-sessions.ts';
export { approveRequest, expireApprovals, rejectRequest } from './decide-approval.ts';
export {
  changeOperatorRole,
  createOperator,
  disableOperator,
  enableOperator,
  listOperators,
  rotateOperatorToken,
} from './operators.ts';
export { mayDo, type Role, roles } from './roles.ts';
export { room, waitingApprovals } from './room.ts';
export type { Operator } from './store.ts';
export { operatorStatuses } from './tables.ts';
