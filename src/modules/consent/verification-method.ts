/**
 * How the side of the linked tag confirms a link. OTP: the initiator gives back a code that only that side was sent.
 * CONSENT: that side says so itself. ATTESTATION: the initiator shows its owner's consent to a claim.
 */
export const verificationMethods = ['OTP', 'CONSENT', 'ATTESTATION'] as const;

export type VerificationMethod = (typeof verificationMethods)[number];

const otherNames: Record<string, VerificationMethod> = { SMS: 'OTP', EMAIL: 'OTP', SMS_OTP: 'OTP', EMAIL_OTP: 'OTP' };

/** The method that a text names, in either case; undefined for any other. */
export function readVerificationMethod(text: string): VerificationMethod | undefined {
  const name = text.trim().toUpperCase();
  return verificationMethods.find((method) => method === name) ?? otherNames[name];
}
