export { endLink } from './end-link.ts';
export { endLinksOfTag } from './end-links-of-tag.ts';
export { expireLinks } from './expire-links.ts';
export { getFederation } from './get-federation.ts';
export { initiateFederation } from './initiate-federation.ts';
export type { Federation, Link } from './link.ts';
export { linkStatuses } from './link-status.ts';
export { rejectLink } from './reject-link.ts';
export { verifyLink } from './verify-link.ts';
