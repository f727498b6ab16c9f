export { applicationStatuses } from './application-status.ts';
export { type AuthenticatedApplication, authenticateApplication } from './authenticate-application.ts';
export { payTagApplicationId } from './built-in.ts';
export { changeSubjectImage, createSubject } from './create-subject.ts';
export { fundApplication } from './fund-application.ts';
export { issueApplicationToken } from './issue-application-token.ts';
export {
  getApplication,
  listApplications,
  type OperatedApplication,
  operateApplication,
} from './operate-application.ts';
export { registerApplication } from './register-application.ts';
export { registerSubject } from './register-subject.ts';
export { type RotatedClientSecret, rotateClientSecret } from './rotate-client-secret.ts';
export { getSettlementWallet, type SettlementWallet } from './settlement-wallet.ts';
export { findSubject, type Subject, type SubjectChoice, toSubject } from './subject.ts';
export { application, subject } from './tables.ts';
