export { assertOwnerContact, type NewWebhookSecret, rotateWebhookSecret, tellOfLiftedLimit } from './owner-letters.ts';
export { tellOwners } from './tell-owners.ts';
