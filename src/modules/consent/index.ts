export { type Agreement, listAgreements, withdrawAgreement } from './agreements.ts';
export {
  answerInPerson,
  type ConsentPage,
  type ConsentRequest,
  confirmConsent,
  declineConsent,
  findAnswerable,
  forgetConfirmations,
  openConsentPage,
  readConsent,
  sendConsentCode,
  takeProofAttempt,
} from './answer-claim.ts';
export { answerLinkRequest, type LinkRequest, openLinkRequest, sendLinkCode } from './answer-link.ts';
export { type Attestation, approveClaim, issueAttestation, verifyAttestation } from './approve-claim.ts';
export type { Claim } from './claim.ts';
export { createDirectory, type Directory, resolveTag } from './directory.ts';
export type { DirectoryRow, PublicClaim } from './directory-store.ts';
export { cancelClaim, endClaimsOfTag, expireClaims, rejectClaim, revokeClaim } from './end-claim.ts';
export { endLinksOfTag, expireLinks, rejectLink, revokeLink } from './end-link.ts';
export { type Federation, getFederation, initiateFederation } from './federation.ts';
export type { Link } from './link.ts';
export { CLAIMS_MAX, type ClaimForOperator, findClaims, findLinks, type LinkForOperator, listClaims } from './lists.ts';
export { voidCodesOfTag } from './owner-code-store.ts';
export { type AuthenticationMethods, answers, type Proof, type TagOwner } from './prove-owner.ts';
export { requestClaim } from './request-claim.ts';
export { bringForward, room } from './room.ts';
export { linkStatuses } from './states.ts';
export { verifyLink } from './verify-link.ts';
