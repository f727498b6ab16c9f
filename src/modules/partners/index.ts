export { type AuthenticatedPartner, authenticatePartner } from './authenticate-partner.ts';
export { createPartner } from './create-partner.ts';
export { findPartner } from './find-partner.ts';
export { partner } from './tables.ts';
