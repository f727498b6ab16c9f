export { authenticateCustomer } from './customer-token.ts';
export { exchangeAuthCode } from './exchange-auth-code.ts';
export { issueAuthCode } from './issue-auth-code.ts';
export { forgetFailedLogins, loginThrottle } from './login-throttle.ts';
export { revokeWalletAndSessions } from './revoke-wallet.ts';
export { deleteSessionsExpiredBefore, endSessionsOf, recordPriorLogin } from './store.ts';
