export {
  authenticateCustomer,
  type CustomerSession,
  cacheSessions,
  expectCustomer,
  type KnownSessions,
  logOut,
} from './customer-token.ts';
export { endSessionsOf, sessionsEndedSince } from './end-store.ts';
export { exchangeAuthCode } from './exchange-auth-code.ts';
export { issueAuthCode } from './issue-auth-code.ts';
export { sessionStatuses } from './list-store.ts';
export { approvalPageThrottle, forgetFailedLogins } from './login-throttle.ts';
export { revokeWalletAndSessions } from './revoke-wallet.ts';
export { bringForward, room } from './room.ts';
export {
  endCustomerSessions,
  endSession,
  listSessions,
  type SessionForOperator,
} from './sessions-for-operator.ts';
export {
  hasLoggedInBefore,
  isSessionOpen,
  type LiveSession,
  liveSessionsOf,
  recordPriorLogin,
} from './store.ts';
