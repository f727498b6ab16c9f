/** What wraps the keys of an installation, so that they can be stored: MASTER_KEY, or a key that never leaves its keeper. */
export interface RootKey {
  /** Identifies the key without revealing it; stored with each key that it wrapped. */
  readonly id: string;
  /** Encrypts a short text. @throws RootKeyUnavailable */
  wrap(plaintext: string): Promise<Buffer>;
  /** Decrypts what `wrap` made. @throws RootKeyUnavailable; Error for bytes that it did not make */
  unwrap(wrapped: Buffer): Promise<string>;
}

/** The keeper of the root key did not do what it was asked: nothing that is sealed can be read. `message` is one line. */
export class RootKeyUnavailable extends Error {
  override readonly name = 'RootKeyUnavailable';
}
