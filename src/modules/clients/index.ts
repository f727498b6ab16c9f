export { addApiKey, revokeApiKey } from './api-keys.ts';

export { type ApplicationCredentialsCache, cacheApplicationCredentials } from './application-credentials.ts';
export { type ApplicationForOperator, getApplication, listApplications } from './application-for-operator.ts';
export { findApplicationNames, findApplicationsByName } from './application-name-store.ts';
export { applicationStatuses } from './application-status.ts';
export { type AuthenticatedApplication, authenticateApplication } from './authenticate-application.ts';
export { type AuthenticatedPartner, authenticatePartner } from './authenticate-partner.ts';
export { changeApplicationStatus } from './change-application-status.ts';
export { assertPartnerChange, changePartner } from './change-partner.ts';
export { changePartnerStatus } from './change-status.ts';
export { askForProof, forgetContact } from './contact-proof.ts';
export { createPartner } from './create-partner.ts';
export { issueApplicationToken } from './issue-application-token.ts';
export { openLink, takeLink } from './links.ts';
export { assertOwnerContact, type NewWebhookSecret, rotateWebhookSecret, tellOfLiftedLimit } from './owner-letters.ts';
export { changeContact, tellPartner } from './partner-contact.ts';
export { cachePartnerCredentials, type PartnerCredentialsCache } from './partner-credentials.ts';
export { findPartnerNames, findPartnersByName } from './partner-name-store.ts';
export { closePortal, enterPortal, openPortalLink, type PortalSession, signPortalLink } from './portal.ts';
export { findPartner, getPartner, listPartners, type OperatorPartnerView } from './read-partner.ts';
export { registerApplication } from './register-application.ts';
export { registerSubject } from './register-subject.ts';
export { assertReturnUrl, changeReturnUrls, getReturnUrls } from './return-urls.ts';
export { room, waitingApplications } from './room.ts';
export { type RotatedClientSecret, rotateClientSecret } from './rotate-client-secret.ts';
export { sendLetters } from './send-letters.ts';
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
export { application, partner, partnerStatuses, payTagApplicationId, subject } from './tables.ts';
export { sendWebhookAlerts } from './webhook-alerts.ts';
export { type Handover } from './write-letter.ts';
