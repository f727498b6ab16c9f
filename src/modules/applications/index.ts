export { type ApplicationCredentialsCache, cacheApplicationCredentials } from './application-credentials.ts';
export {
  type ApplicationForOperator,
  getApplication,
  listApplications,
} from './application-for-operator.ts';
export { applicationStatuses } from './application-status.ts';
export { type AuthenticatedApplication, authenticateApplication } from './authenticate-application.ts';
export { changeApplicationStatus } from './change-application-status.ts';
export { readApplicationContact } from './contact.ts';
export { issueApplicationToken } from './issue-application-token.ts';
export { findApplicationNames, findApplicationsByName } from './name-store.ts';
export { registerApplication } from './register-application.ts';
export { registerSubject } from './register-subject.ts';
export { assertReturnUrl, changeReturnUrls, getReturnUrls } from './return-urls.ts';
export { room, waitingApplications } from './room.ts';
export { type RotatedClientSecret, rotateClientSecret } from './rotate-client-secret.ts';
export { getSettlementWallet, type SettlementWallet } from './settlement-wallet.ts';
export {
  changeSubjectImage,
  changeSubjectName,
  createSubject,
  findSubject,
  type Subject,
  type SubjectChoice,
  toSubject,
} from './subject.ts';
export { subjectRoute } from './subject-route.ts';
export { application, payTagApplicationId, subject } from './tables.ts';
