export {
  type AuthenticatedOperator,
  authenticateOperator,
  type OperatorAuthentication,
} from './authenticate-operator.ts';
export {
  changeOperatorRole,
  disableOperator,
  enableOperator,
  rotateOperatorToken,
} from './change-operator.ts';
export { authenticateSession, signIn, signOut } from './console-session.ts';
export { type ConsoleSession, endConsoleSession, listConsoleSessions } from './console-sessions.ts';
export { createOperator } from './create-operator.ts';
export { mayBeOne } from './hands.ts';
export { listOperators } from './list-operators.ts';
export { mayStillDo } from './may-still-do.ts';
export { mayDo, type Role, roles } from './roles.ts';
export { room } from './room.ts';
export type { Operator } from './store.ts';
export { operatorStatuses } from './tables.ts';
