export { exchangeAuthCode, issueAuthCode } from './auth-code.ts';
export {
  authenticateCustomer,
  type CustomerSession,
  cacheSessions,
  expectCustomer,
  type KnownSessions,
  logOut,
} from './customer-token.ts';
export { approvalPageThrottle, forgetFailedLogins } from './login-throttle.ts';
export { bringForward, room } from './room.ts';
export {
  endCustomerSessions,
  endSession,
  listSessions,
  revokeWalletAndSessions,
  type SessionForOperator,
} from './sessions-for-operator.ts';
export {
  endSessionsOf,
  hasLoggedInBefore,
  isSessionOpen,
  type LiveSession,
  liveSessionsOf,
  recordPriorLogin,
  sessionStatuses,
  sessionsEndedSince,
} from './store.ts';
