export { type AuthenticatedPartner, authenticatePartner } from './authenticate-partner.ts';
export { type CreatedPartner, createPartner } from './create-partner.ts';
export { partner } from './tables.ts';
