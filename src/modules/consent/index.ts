export { answerInPerson, confirmConsent, declineConsent, takeProofAttempt } from './answer-in-person.ts';
export { answerLinkRequest, sendLinkCode } from './answer-link-request.ts';
export { type Attestation, approveClaim, issueAttestation, verifyAttestation } from './approve-claim.ts';
export { cancelClaim } from './cancel-claim.ts';
export {
  type AuthenticationMethods,
  answers,
  type TagOwner,
} from './challenge.ts';
export type { Claim } from './claim.ts';
export { type ClaimForOperator, findClaims } from './claims-for-operator.ts';

export type { DirectoryRow, PublicClaim } from './directory-store.ts';
export { endClaimsOfTag } from './end-claims-of-tag.ts';
export { expireClaims } from './expire-claims.ts';
export { expireLinks } from './expire-links.ts';
export { findLinks, type LinkForOperator } from './find-links.ts';
export { getFederation } from './get-federation.ts';
export { initiateFederation } from './initiate-federation.ts';
export type { Federation, Link } from './link.ts';
export { type LinkRequest, openLinkRequest } from './link-request.ts';
export { linkStatuses } from './link-status.ts';
export { type Agreement, listAgreements } from './list-agreements.ts';
export { CLAIMS_MAX, listClaims } from './list-claims.ts';
export { type ConsentPage, type ConsentRequest, openConsentPage, readConsent } from './open-consent-page.ts';
export { type Proof } from './prove-owner.ts';
export { rejectClaim } from './reject-claim.ts';
export { rejectLink } from './reject-link.ts';
export { requestClaim } from './request-claim.ts';
export { createDirectory, type Directory, resolveTag } from './resolve-tag.ts';
export { revokeClaim } from './revoke-claim.ts';
export { endLinksOfTag, revokeLink } from './revoke-link.ts';
export { bringClaimsForward, bringLinksForward, room } from './room.ts';
export { sendConsentCode } from './send-consent-code.ts';

export { forgetConfirmations } from './transition-store.ts';
export { verifyLink } from './verify-link.ts';
export { voidConsentCodes } from './void-claim-codes.ts';
export { voidLinkCodes } from './void-link-codes.ts';

export { withdrawAgreement } from './withdraw-agreement.ts';
