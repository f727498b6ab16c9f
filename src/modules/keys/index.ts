export { mayChangeKeys } from './data-key-store.ts';
export { openDocuments, signDocument } from './documents.ts';
export { installedAt } from './installed-at.ts';
export { expectKeySet } from './key-cache.ts';
export { listSigningKeys, type SigningKey } from './list-signing-keys.ts';
export { type OpenKeyring, openKeyring } from './open-keyring.ts';
export { type ProcessFacts, readSettings } from './read-settings.ts';
export { rekey } from './rekey.ts';
export { destroyRetiredKeys, listDataKeys } from './retired-keys.ts';
export { revokeSigningKey } from './revoke-signing-key.ts';
export { rewrapDataKeys } from './rewrap.ts';
export { room } from './room.ts';
export { KEYS_CACHED_S, rotateSigningKeys } from './rotate-signing-keys.ts';
export { routingFactsAreAuthentic } from './routing-facts.ts';
export { sealedValuesOpen } from './sealed-values.ts';
export { assertServerRole } from './server-role.ts';
export {
  assertInstallation,
  InstallationMismatch,
  stampInstallation,
} from './stamp-installation.ts';
export { keyStatuses } from './tables.ts';
export { expectToken, jwks, sign, type TokenKind, verify } from './tokens.ts';
