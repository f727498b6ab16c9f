import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { fingerprintOf, wrappingKeyOf } from '#lib/crypto/keyring.ts';
import type { RootKeySettings } from '../../config/provider-settings.ts';
import { providerClient } from '../http-client.ts';
import type { RootKey } from './port.ts';
import { vaultKeyId, vaultRootKey } from './vault-transit.ts';

/** The root keys of this process: the first wraps, the others still unwrap. */
export type RootKeys = readonly [RootKey, ...RootKey[]];

/** Opens the configured root keys. `close` closes their connections. */
export function openRootKeys(settings: RootKeySettings): { roots: RootKeys; close(): Promise<void> } {
  const { vault } = settings;
  const client = vault && providerClient({ origin: vault.url, timeoutMs: vault.timeoutMs });
  const kept = vault && client ? [vaultRootKey(client, vault)] : [];
  const given = givenKeys(settings).map(masterRootKey);
  const roots = atLeastOne(settings.wrapsWith === 'vault' ? [...kept, ...given] : [...given, ...kept]);
  return { roots, close: async () => client?.close() };
}

/** Which root keys they are, without asking anybody; that which wraps comes first. */
export function rootKeyIdsOf(settings: RootKeySettings): readonly [string, ...string[]] {
  const kept = settings.vault ? [vaultKeyId(settings.vault)] : [];
  const given = givenKeys(settings).map(fingerprintOf);
  return atLeastOne(settings.wrapsWith === 'vault' ? [...kept, ...given] : [...given, ...kept]);
}

function atLeastOne<Item>([first, ...others]: Item[]): readonly [Item, ...Item[]] {
  if (first === undefined) throw new Error('there is no root key');
  return [first, ...others];
}

const givenKeys = ({ masterKey, previousMasterKey }: RootKeySettings): Buffer[] =>
  [masterKey, previousMasterKey].filter((key) => key !== undefined);

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A root key that this process was given: AES-256-GCM with a key derived from it. */
export function masterRootKey(masterKey: Uint8Array): RootKey {
  const key = wrappingKeyOf(masterKey);
  return {
    id: fingerprintOf(masterKey),
    async wrap(plaintext) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    async unwrap(wrapped) {
      const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
      const body = decipher.update(wrapped.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}
