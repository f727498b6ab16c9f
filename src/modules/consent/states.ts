import { type StateOf, statesOf } from '#lib/state-machine.ts';

/** The transitions of a claim. */
export const claimTransitions = {
  PENDING: ['APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['REVOKED'],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  REVOKED: [],
} as const;

export type ClaimState = StateOf<typeof claimTransitions>;
export const claimStates = statesOf(claimTransitions);

/** A claim's state at this moment: PENDING past the expiry of its token is EXPIRED, marked so or not. */
export const claimStateAt = (now: Date, { state, tokenExpiresAt }: { state: ClaimState; tokenExpiresAt: Date }) =>
  state === 'PENDING' && tokenExpiresAt <= now ? 'EXPIRED' : state;

/** The transitions of a link. Its initiator may revoke a pending one, either side a verified one. */
export const linkTransitions = {
  PENDING: ['VERIFIED', 'REJECTED', 'FAILED', 'EXPIRED', 'REVOKED'],
  VERIFIED: ['REVOKED'],
  REJECTED: [],
  FAILED: [],
  EXPIRED: [],
  REVOKED: [],
} as const;

export type LinkStatus = StateOf<typeof linkTransitions>;
export const linkStatuses = statesOf(linkTransitions);

/** A link's status at this moment: PENDING past its expiry is EXPIRED, marked so or not. */
export const linkStatusAt = (now: Date, { status, expiresAt }: { status: LinkStatus; expiresAt: Date }): LinkStatus =>
  status === 'PENDING' && expiresAt <= now ? 'EXPIRED' : status;

/**
 * How the side of the linked tag confirms a link. OTP: the initiator returns a code that only that side received.
 * CONSENT: that side consents itself. ATTESTATION: the initiator shows its owner's consent to a claim.
 */
export const verificationMethods = ['OTP', 'CONSENT', 'ATTESTATION'] as const;

export type VerificationMethod = (typeof verificationMethods)[number];

const otherNames: Record<string, VerificationMethod> = { SMS: 'OTP', EMAIL: 'OTP', SMS_OTP: 'OTP', EMAIL_OTP: 'OTP' };

/** The method that a text names, in either case; undefined for any other. */
export function readVerificationMethod(text: string): VerificationMethod | undefined {
  const name = text.trim().toUpperCase();
  return verificationMethods.find((method) => method === name) ?? otherNames[name];
}
