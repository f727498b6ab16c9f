export { rotateSigningKeys } from './make-keys.ts';
export { jwks, sign, type TokenKind, verify } from './tokens.ts';
