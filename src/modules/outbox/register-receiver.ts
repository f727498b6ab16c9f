import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import { sealReceiverKeys } from './receiver-keys.ts';
import { insertReceiver, type ReceiverRow } from './store.ts';

export interface NewReceiver {
  /** The partner or application. */
  ownerId: string;
  ownerKind: ReceiverRow['ownerKind'];
  /** Checked by the caller (`assertWebhookTarget`). Null: events are kept until there is one. */
  url: string | null;
  /** Keys R-Signature. */
  clientId: string;
  /** `whsec_` and base64: keys the Standard Webhooks signature. */
  secret: string;
}

/** Gives a partner or application its receiver: from now on its events are kept and, with a URL, delivered. */
export async function registerReceiver(tx: Tx, keyring: Keyring, receiver: NewReceiver): Promise<{ id: string }> {
  const { ownerId, ownerKind, url } = receiver;
  const { id } = await insertReceiver(tx, { ownerId, ownerKind, url, ...sealReceiverKeys(keyring, receiver) });
  return { id };
}
