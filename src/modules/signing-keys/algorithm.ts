/** The one algorithm we sign with, and the only one we take. */
export const ALGORITHM = 'ES256';
export const PRIVATE_JWK_PURPOSE = 'signing_key.private_jwk';
