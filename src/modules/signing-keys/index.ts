export { rotateSigningKeys } from './make-keys.ts';
export { jwks, sign, type TokenClaims, type TokenKind, verify } from './tokens.ts';
