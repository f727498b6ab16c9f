import type { Keyring } from '../../lib/crypto/keyring.ts';

const CLIENT_ID = 'outbox.receiver.client_id';
const SECRET = 'outbox.receiver.secret';

/** What a delivery to a receiver is signed with. */
export interface ReceiverKeys {
  clientId: string;
  secret: string;
}

export interface SealedReceiverKeys {
  clientIdSealed: Buffer;
  secretSealed: Buffer;
}

export function sealReceiverKeys(keyring: Keyring, { clientId, secret }: ReceiverKeys): SealedReceiverKeys {
  return { clientIdSealed: keyring.seal(CLIENT_ID, clientId), secretSealed: keyring.seal(SECRET, secret) };
}

/** Opens the keys of a receiver. Throws when they were sealed under another root key. */
export function openReceiverKeys(keyring: Keyring, sealed: SealedReceiverKeys): ReceiverKeys {
  return {
    clientId: keyring.open(CLIENT_ID, sealed.clientIdSealed),
    secret: keyring.open(SECRET, sealed.secretSealed),
  };
}
