export { authenticateCustomer, type CustomerSession, expectCustomer, logOut } from './customer-token.ts';
export { endSessionsOf, sessionsEndedSince } from './end-store.ts';
export { exchangeAuthCode } from './exchange-auth-code.ts';
export { issueAuthCode } from './issue-auth-code.ts';
export { cacheSessions, type KnownSessions } from './known-sessions.ts';
export { sessionStatuses } from './list-store.ts';
export { approvalPageThrottle, forgetFailedLogins } from './login-throttle.ts';
export { eraseOf, exportOf } from './person-store.ts';
export { retention } from './retention.ts';
export { revokeWalletAndSessions } from './revoke-wallet.ts';
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
  routingFacts,
} from './store.ts';
export { bringForward } from './time-store.ts';
