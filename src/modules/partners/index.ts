export { addApiKey, revokeApiKey } from './api-keys.ts';
export { type AuthenticatedPartner, authenticatePartner } from './authenticate-partner.ts';
export { changePartner } from './change-partner.ts';
export { changePartnerStatus } from './change-status.ts';
export { createPartner } from './create-partner.ts';
export { invariants } from './invariants.ts';
export { cachePartnerCredentials, type PartnerCredentialsCache } from './partner-credentials.ts';
export { findPartner, getPartner, listPartners, type OperatorPartnerView } from './read-partner.ts';
export { partner, partnerStatuses } from './tables.ts';
