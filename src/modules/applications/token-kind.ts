import type { TokenKind } from '#modules/signing-keys';

/** What an application token says it is, so that a customer's is never taken for one. */
export const applicationTokenKind = (publicUrl: string): TokenKind => ({
  typ: 'application-at+jwt',
  issuer: publicUrl,
  audience: `${publicUrl}/api`,
});
