export { type AuthenticatedApplication, authenticateApplication } from './authenticate-application.ts';
export { payTagApplicationId } from './built-in.ts';
export { changeSubjectImage, createSubject } from './create-subject.ts';
export { fundApplication } from './fund-application.ts';
export { issueApplicationToken } from './issue-application-token.ts';
export { registerApplication } from './register-application.ts';
export { getSettlementWallet, type SettlementWallet } from './settlement-wallet.ts';
export { application, subject } from './tables.ts';
