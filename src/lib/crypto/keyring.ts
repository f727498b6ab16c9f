import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { DomainError } from '../domain-error.ts';
import { equalDigests, hmacSha256 } from './digest.ts';
import { AlteredRecord, authenticated, placeOf, type RowKey, type SealedColumn } from './sealed-column.ts';

/** The form of what is sealed: bound to its row. Those before it were not, and open no more. */
const BOUND = 3;
/** The form, and the key's id. */
const HEADER_BYTES = 5;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What a key is for, so that no two uses share one: to seal values, to index sealed values, to sign what we hand out and get
 * back, and to vouch for the postings of the ledger.
 */
export const keyUses = ['SEAL', 'INDEX', 'SIGN', 'POSTING'] as const;
export type KeyUse = (typeof keyUses)[number];

/** 256 bits with a number of their own. Of those of one use one is current; the others open and verify what they made. */
export interface DataKey {
  readonly id: number;
  readonly use: KeyUse;
  readonly key: Buffer;
  readonly isCurrent: boolean;
}

/** Encrypts and indexes personal data and stored secrets, and signs links, forms and postings. */
export interface Keyring {
  /**
   * Encrypts with AES-256-GCM by the current key, whose id the result names. Column and row are authenticated: what was sealed
   * for one does not open as another's.
   *
   * @param row what the row has in the columns that the column names
   */
  seal(column: SealedColumn, row: RowKey, plaintext: string): Buffer;
  /**
   * Decrypts what `seal` made, by whichever key.
   *
   * @throws AlteredRecord when the bytes were changed, or sealed for another column or row
   * @throws DomainError STORE_UNAVAILABLE when they name a key that this process does not have
   */
  open(column: SealedColumn, row: RowKey, sealed: Uint8Array): string;
  /** A keyed digest by which an equal value can be found again; without the key it says nothing of the value. */
  blindIndex(purpose: string, value: string): Buffer;
  /** HMAC-SHA-256 of a value that we hand out and get back within a day, so that it cannot be forged. */
  sign(purpose: string, value: string): Buffer;
  /** Whether `sign` made it, in constant time: by the current key, or by one before it that has not been destroyed. */
  verifies(purpose: string, value: string, signature: Uint8Array): boolean;
  /** HMAC-SHA-256 of rows that are stored for ever and never rewritten. Its key is never rotated. */
  vouchFor(purpose: string, value: string): Buffer;
  /** The bytes with which all begins that is sealed now: what begins otherwise was sealed with another key. */
  readonly sealedPrefix: Buffer;
  /** How many values this process has sealed with each key since it was last asked, by the keys' ids. */
  takeSealed(): ReadonlyMap<number, number>;
}

/** A keyring whose keys can be exchanged while it is in use. */
export interface ChangeableKeyring extends Keyring {
  use(keys: readonly DataKey[]): void;
}

/** @param keys of each use a current one */
export function keyringOf(keys: readonly DataKey[]): ChangeableKeyring {
  let held = heldKeys(keys);
  let sealedWith = new Map<number, number>();

  return {
    use(others) {
      held = heldKeys(others);
    },

    get sealedPrefix() {
      return held.header;
    },

    takeSealed() {
      const taken = sealedWith;
      sealedWith = new Map();
      return taken;
    },

    seal(column, row, plaintext) {
      const { id, key } = held.seal;
      sealedWith.set(id, (sealedWith.get(id) ?? 0) + 1);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(placeOf(column, row)));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([held.header, iv, body, cipher.getAuthTag()]);
    },

    open(column, row, sealed) {
      const bytes = Buffer.from(sealed);
      const altered = (cause?: unknown) =>
        new AlteredRecord(`${column.table}.${column.column}`, row.map(authenticated), { cause });
      if (bytes[0] !== BOUND || bytes.length < HEADER_BYTES + IV_BYTES + TAG_BYTES) throw altered();
      const key = held.sealing.get(bytes.readUInt32BE(1));
      if (key === undefined) {
        throw new DomainError('STORE_UNAVAILABLE', 'not sealed with a key that this process has (yet)');
      }
      const start = HEADER_BYTES + IV_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(HEADER_BYTES, start), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(placeOf(column, row))).setAuthTag(bytes.subarray(-TAG_BYTES));
      const body = bytes.subarray(start, -TAG_BYTES);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw altered(cause);
      }
    },

    blindIndex: (purpose, value) => hmacSha256(held.index, `${purpose}\0${value}`),

    sign: (purpose, value) => hmacSha256(held.sign, `${purpose}\0${value}`),

    verifies: (purpose, value, signature) =>
      held.signing.some((key) => equalDigests(signature, hmacSha256(key, `${purpose}\0${value}`))),

    vouchFor: (purpose, value) => hmacSha256(held.posting, `${purpose}\0${value}`),
  };
}

function heldKeys(keys: readonly DataKey[]) {
  const current = (use: KeyUse): DataKey => {
    const found = keys.find((key) => key.use === use && key.isCurrent);
    if (found === undefined) throw new Error(`there is no current key of use ${use}`);
    return found;
  };
  const of = (use: KeyUse) => keys.filter((key) => key.use === use);
  const seal = current('SEAL');
  const header = Buffer.alloc(HEADER_BYTES, BOUND);
  header.writeUInt32BE(seal.id, 1);
  return {
    seal,
    header,
    sealing: new Map(of('SEAL').map(({ id, key }) => [id, key])),
    index: current('INDEX').key,
    sign: current('SIGN').key,
    signing: of('SIGN').map(({ key }) => key),
    posting: current('POSTING').key,
  };
}

const derive = (rootKey: Uint8Array, label: string): Buffer =>
  Buffer.from(hkdfSync('sha256', rootKey, Buffer.alloc(0), `paytag/${label}`, 32));

/** Identifies a root key without revealing it. */
export const fingerprintOf = (rootKey: Uint8Array): string => derive(rootKey, 'fingerprint/v1').toString('hex');

/** The key of a root key with which other keys are wrapped (HKDF-SHA-256, RFC 5869). */
export const wrappingKeyOf = (rootKey: Uint8Array): Buffer => derive(rootKey, 'wrap/v1');

/** The first keys of a new installation. */
export const randomKeys = (): readonly DataKey[] => firstKeys(() => randomBytes(32));

/** Keys that are derived from one: for tests, which must know them before a database keeps them. */
export const derivedKeys = (rootKey: Uint8Array): readonly DataKey[] =>
  firstKeys((use) => derive(rootKey, `${use}/v1`));

/** A keyring of keys that are derived from one. */
export const createKeyring = (rootKey: Uint8Array): Keyring => keyringOf(derivedKeys(rootKey));

const firstKeys = (keyOf: (use: KeyUse) => Buffer): readonly DataKey[] =>
  keyUses.map((use, index) => ({ id: index + 1, use, key: keyOf(use), isCurrent: true }));
