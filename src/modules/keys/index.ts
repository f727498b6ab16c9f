export { mayChangeKeys } from './data-key-store.ts';
export { openDocuments, signDocument } from './documents.ts';
export { type OpenKeyring, openKeyring, rewrapDataKeys } from './open-keyring.ts';
export { destroyRetiredKeys, listDataKeys, rekey, sealedValuesOpen } from './rekey.ts';
export { room, routingFactsAreAuthentic } from './room.ts';
export { assertServerRole } from './server-role.ts';
export {
  expectKeySet,
  KEYS_CACHED_S,
  listSigningKeys,
  revokeSigningKey,
  rotateSigningKeys,
  type SigningKey,
} from './signing-keys.ts';
export {
  assertInstallation,
  InstallationMismatch,
  installedAt,
  type ProcessFacts,
  readSettings,
  stampInstallation,
} from './stamp-installation.ts';
export { keyStatuses } from './tables.ts';
export { expectToken, jwks, sign, type TokenKind, verify } from './tokens.ts';
