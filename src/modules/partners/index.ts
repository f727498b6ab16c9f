export { addApiKey, revokeApiKey } from './api-keys.ts';
export { type AuthenticatedPartner, authenticatePartner } from './authenticate-partner.ts';
export { changePartner } from './change-partner.ts';
export { createPartner } from './create-partner.ts';
export { findPartner } from './find-partner.ts';
export { operatePartner } from './operate-partner.ts';
export { getPartner, listPartners, type OperatedPartner } from './operated-partner.ts';
export { partnerStatuses } from './partner-status.ts';
export { partner } from './tables.ts';
