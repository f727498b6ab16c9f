export { applicationStatuses } from './application-status.ts';
export {
  findApplicationNames,
  findApplicationsByName,
  subjectRoute,
} from './application-store.ts';
export {
  type ApplicationForOperator,
  changeApplicationStatus,
  getApplication,
  listApplications,
} from './applications.ts';
export {
  type ApplicationCredentialsCache,
  type AuthenticatedApplication,
  authenticateApplication,
  cacheApplicationCredentials,
  issueApplicationToken,
} from './authenticate-application.ts';
export {
  type AuthenticatedPartner,
  authenticatePartner,
  cachePartnerCredentials,
  type PartnerCredentialsCache,
} from './authenticate-partner.ts';
export {
  askForProof,
  assertOwnerContact,
  changeContact,
  forgetContact,
  notifyLiftedLimit,
  notifyPartner,
} from './contacts.ts';
export { openLink, takeLink } from './links.ts';
export {
  addApiKey,
  type NewWebhookSecret,
  type RotatedClientSecret,
  revokeApiKey,
  rotateClientSecret,
  rotateWebhookSecret,
} from './new-secrets.ts';
export { findPartnerNames, findPartnersByName } from './partner-store.ts';
export { assertPartnerChange, changePartner, changePartnerStatus, createPartner } from './partners.ts';
export { closePortal, enterPortal, openPortalLink, type PortalSession, signPortalLink } from './portal.ts';
export { type Handover } from './queue-mail.ts';
export { findPartner, getPartner, listPartners, type OperatorPartnerView } from './read-partner.ts';
export { getSettlementWallet, registerApplication, type SettlementWallet } from './register-application.ts';
export { assertReturnUrl, changeReturnUrls, getReturnUrls } from './return-urls.ts';
export { room, waitingApplications } from './room.ts';
export { sendMails, sendWebhookAlerts } from './send-mails.ts';
export {
  changeSubjectImage,
  changeSubjectName,
  createSubject,
  findSubject,
  registerSubject,
  type Subject,
  type SubjectChoice,
  toSubject,
} from './subjects.ts';
export { application, partner, partnerStatuses, payTagApplicationId, subject } from './tables.ts';
