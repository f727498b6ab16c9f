export { openDocuments, signDocument } from './documents.ts';
export { expectKeySet } from './key-cache.ts';
export { listSigningKeys, type SigningKey } from './list-signing-keys.ts';
export { revokeSigningKey } from './revoke-signing-key.ts';
export { room } from './room.ts';
export { KEYS_CACHED_S, rotateSigningKeys } from './rotate-signing-keys.ts';
export { keyStatuses } from './tables.ts';
export { expectToken, jwks, sign, type TokenKind, verify } from './tokens.ts';
