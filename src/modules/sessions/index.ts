export { acquaint } from './acquaint.ts';
export { authenticateCustomer } from './authenticate-customer.ts';
export { endSessionsOf } from './end-sessions.ts';
export { exchangeAuthCode } from './exchange-auth-code.ts';
export { issueAuthCode } from './issue-auth-code.ts';
export { forgetFailedLogins, loginThrottle } from './login-throttle.ts';
export { revokeWalletAndSessions } from './revoke-wallet.ts';
export { deleteSessionsExpiredBefore } from './store.ts';
