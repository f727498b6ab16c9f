import { randomBytes } from 'node:crypto';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

const CLIENT_ID = 'outbox.receiver.client_id';
const SECRET = 'outbox.receiver.secret';
const HEADERS = 'outbox.receiver.headers';

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'outbox.receiver', column: 'client_id_sealed', purpose: CLIENT_ID },
  { table: 'outbox.receiver', column: 'secret_sealed', purpose: SECRET },
  { table: 'outbox.receiver', column: 'previous_secret_sealed', purpose: SECRET },
  { table: 'outbox.receiver', column: 'headers_sealed', purpose: HEADERS },
];
/** Decrypted keys in memory at most. */
const OPENED_MAX = 4_000;

/** Keys the Standard Webhooks signature: 256 random bits, base64 after the prefix that the standard asks for. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** What deliveries to a new receiver are signed with. */
export interface ReceiverKeys {
  clientId: string;
  secret: string;
}

/** What one delivery is signed with. */
export interface SigningKeys {
  clientId: string;
  /** The newest first; two while the secret before a rotation signs beside the new one. */
  secrets: string[];
  /** Of its own, which each request carries. */
  headers: Record<string, string>;
}

export interface SealedReceiverKeys {
  clientIdSealed: Buffer;
  secretSealed: Buffer;
}

export interface SealedSigningKeys extends SealedReceiverKeys {
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
  headersSealed: Buffer | null;
}

/** Encrypts a webhook secret for storage. `createKeyOpener` opens it. */
export const sealSecret = (keyring: Keyring, secret: string): Buffer => keyring.seal(SECRET, secret);

/** The headers of an endpoint, for storage: what they hold is encrypted. */
export function sealHeaders(
  keyring: Keyring,
  headers: Readonly<Record<string, string>>,
): { headerNames: string[] | null; headersSealed: Buffer | null } {
  const names = Object.keys(headers);
  if (names.length === 0) return { headerNames: null, headersSealed: null };
  return { headerNames: names, headersSealed: keyring.seal(HEADERS, JSON.stringify(headers)) };
}

/** Encrypts both keys of a receiver for storage, each under a purpose of its own. */
export function sealReceiverKeys(keyring: Keyring, { clientId, secret }: ReceiverKeys): SealedReceiverKeys {
  return { clientIdSealed: keyring.seal(CLIENT_ID, clientId), secretSealed: sealSecret(keyring, secret) };
}

/** Opens the client id of a receiver's owner. */
export const openClientId = (keyring: Keyring, sealed: Buffer): string => keyring.open(CLIENT_ID, sealed);

/** Opens the keys that sign at `now`. Throws when they were sealed under another root key. */
export type KeyOpener = (sealed: SealedSigningKeys, now: Date) => SigningKeys;

/** Opens each sealed key once and caches it: most deliveries go to few receivers. */
export function createKeyOpener(keyring: Keyring): KeyOpener {
  const cache = new Map<string, string>();

  function open(purpose: string, sealed: Buffer): string {
    const name = sealed.toString('latin1');
    const known = cache.get(name);
    if (known !== undefined) return known;
    const text = keyring.open(purpose, sealed);
    if (cache.size >= OPENED_MAX) cache.clear();
    cache.set(name, text);
    return text;
  }

  return (sealed, now) => {
    const { previousSecretSealed: previous, previousSecretUntil: until } = sealed;
    const previousSigns = previous !== null && until !== null && until > now ? [previous] : [];
    return {
      clientId: open(CLIENT_ID, sealed.clientIdSealed),
      secrets: [sealed.secretSealed, ...previousSigns].map((secret) => open(SECRET, secret)),
      headers: sealed.headersSealed === null ? {} : JSON.parse(open(HEADERS, sealed.headersSealed)),
    };
  };
}
