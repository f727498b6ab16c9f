import { randomBytes } from 'node:crypto';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

const KEY = ['id'];
const columns = {
  clientId: { table: 'outbox.receiver', column: 'client_id_sealed', row: KEY },
  secret: { table: 'outbox.receiver', column: 'secret_sealed', row: KEY },
  previousSecret: { table: 'outbox.receiver', column: 'previous_secret_sealed', row: KEY },
  headers: { table: 'outbox.receiver', column: 'headers_sealed', row: KEY },
} as const;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);
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
  /** The newest first; two while the previous secret signs too. */
  secrets: string[];
  /** The endpoint's own headers, sent with each request. */
  headers: Record<string, string>;
}

export interface SealedReceiverKeys {
  clientIdSealed: Buffer;
  secretSealed: Buffer;
}

export interface SealedSigningKeys extends SealedReceiverKeys {
  /** The receiver's. */
  id: string;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
  headersSealed: Buffer | null;
}

/** Encrypts a webhook secret of a receiver for storage. `createKeyOpener` opens it. */
export const sealSecret = (keyring: Keyring, receiverId: string, secret: string): Buffer =>
  keyring.seal(columns.secret, [receiverId], secret);

/** Seals the current secret of a receiver as its previous one. */
export const sealAsPrevious = (keyring: Keyring, { id, secretSealed }: SealedReceiverKeys & { id: string }): Buffer =>
  keyring.seal(columns.previousSecret, [id], keyring.open(columns.secret, [id], secretSealed));

/** The headers of an endpoint for storage: their values are encrypted. */
export function sealHeaders(
  keyring: Keyring,
  receiverId: string,
  headers: Readonly<Record<string, string>>,
): { headerNames: string[] | null; headersSealed: Buffer | null } {
  const names = Object.keys(headers);
  if (names.length === 0) return { headerNames: null, headersSealed: null };
  return { headerNames: names, headersSealed: keyring.seal(columns.headers, [receiverId], JSON.stringify(headers)) };
}

/** Encrypts both keys of a receiver for storage. */
export const sealReceiverKeys = (
  keyring: Keyring,
  receiverId: string,
  { clientId, secret }: ReceiverKeys,
): SealedReceiverKeys => ({
  clientIdSealed: keyring.seal(columns.clientId, [receiverId], clientId),
  secretSealed: sealSecret(keyring, receiverId, secret),
});

/** Opens the client id of a receiver's owner. */
export const openClientId = (
  keyring: Keyring,
  { id, clientIdSealed }: { id: string; clientIdSealed: Buffer },
): string => keyring.open(columns.clientId, [id], clientIdSealed);

/** Opens the keys that sign at `now`. Throws when they were sealed under another root key. */
export type KeyOpener = (sealed: SealedSigningKeys, now: Date) => SigningKeys;

/** Opens each sealed key once and caches it: most deliveries go to few receivers. */
export function createKeyOpener(keyring: Keyring): KeyOpener {
  const cache = new Map<string, string>();

  function open(column: keyof typeof columns, id: string, sealed: Buffer): string {
    const name = `${column} ${id} ${sealed.toString('latin1')}`;
    const known = cache.get(name);
    if (known !== undefined) return known;
    const text = keyring.open(columns[column], [id], sealed);
    if (cache.size >= OPENED_MAX) cache.clear();
    cache.set(name, text);
    return text;
  }

  return (sealed, now) => {
    const { id, previousSecretSealed: previous, previousSecretUntil: until, headersSealed } = sealed;
    const previousSigns = previous !== null && until !== null && until > now;
    return {
      clientId: open('clientId', id, sealed.clientIdSealed),
      secrets: [
        open('secret', id, sealed.secretSealed),
        ...(previousSigns ? [open('previousSecret', id, previous)] : []),
      ],
      headers: headersSealed === null ? {} : JSON.parse(open('headers', id, headersSealed)),
    };
  };
}
