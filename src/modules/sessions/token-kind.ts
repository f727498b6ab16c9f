import type { TokenKind } from '#modules/signing-keys';

/** What a customer token says it is: an access token (RFC 9068) for the partner and SSO API. */
export const customerTokenKind = (publicUrl: string): TokenKind => ({
  typ: 'at+jwt',
  issuer: publicUrl,
  audience: `${publicUrl}/v2`,
});
