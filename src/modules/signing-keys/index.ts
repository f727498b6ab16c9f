export { openDocuments, signDocument } from './documents.ts';
export { rotateSigningKeys } from './rotate-signing-keys.ts';
export { jwks, sign, type TokenKind, verify } from './tokens.ts';
