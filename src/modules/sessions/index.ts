export { authenticateCustomer } from './authenticate-customer.ts';
export { endSessionsOf } from './end-sessions.ts';
export { exchangeAuthCode } from './exchange-auth-code.ts';
export { issueAuthCode } from './issue-auth-code.ts';
export { forgetFailedLogins, loginThrottle } from './login-throttle.ts';
export { recordPriorLogin } from './record-prior-login.ts';
export { revokeWalletAndSessions } from './revoke-wallet.ts';
export { deleteSessionsExpiredBefore } from './store.ts';
