export { authenticateCustomer } from './authenticate-customer.ts';
export { exchangeAuthCode } from './exchange-auth-code.ts';
export { issueAuthCode } from './issue-auth-code.ts';
export { deleteSessionsExpiredBefore } from './store.ts';
