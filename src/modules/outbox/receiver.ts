import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/database.ts';
import { receiverNotFound } from './errors.ts';
import { openClientId, sealReceiverKeys } from './receiver-keys.ts';
import { insertReceiver, type ReceiverRow, selectClientIds, selectReceiver, setReceiverUrl } from './store.ts';

export interface NewReceiver {
  /** The partner or application. */
  ownerId: string;
  ownerKind: ReceiverRow['ownerKind'];
  /** Checked by the caller (`assertWebhookTarget`). Null: events are held until there is one. */
  url: string | null;
  /** Keys R-Signature. */
  clientId: string;
  /** `whsec_` and base64: keys the Standard Webhooks signature. */
  secret: string;
}

/** Gives a partner or application its receiver: from now on its events are written and, with a URL, delivered. */
export async function registerReceiver(tx: Tx, keyring: Keyring, receiver: NewReceiver): Promise<{ id: string }> {
  const { ownerId, ownerKind, url } = receiver;
  const { id } = await insertReceiver(tx, { ownerId, ownerKind, url, ...sealReceiverKeys(keyring, receiver) });
  return { id };
}

/** Where the events of an owner go, without the keys. */
export type Receiver = Omit<ReceiverRow, 'clientIdSealed' | 'secretSealed' | 'previousSecretSealed'>;

/** A receiver without its sealed keys, to be shown. */
export const withoutKeys = ({
  clientIdSealed: _c,
  secretSealed: _s,
  previousSecretSealed: _p,
  ...receiver
}: ReceiverRow): Receiver => receiver;

/** The receiver of a partner or application, undefined when it has none. */
export async function readReceiver(db: Executor, ownerId: string): Promise<Receiver | undefined> {
  const found = await selectReceiver(db, ownerId);
  return found && withoutKeys(found);
}

/**
 * The client ids of partners or applications, each by its owner's id: they are kept here alone, sealed. Asking for any other
 * than those given fails.
 *
 * @throws Error for an owner without a receiver, which no registered one is
 */
export async function readClientIds(
  db: Executor,
  keyring: Keyring,
  ownerIds: readonly string[],
): Promise<(ownerId: string) => string> {
  const rows = await selectClientIds(db, ownerIds);
  const sealed = new Map(rows.map(({ ownerId, clientIdSealed }) => [ownerId, clientIdSealed]));
  return (ownerId) => {
    const found = sealed.get(ownerId);
    if (found === undefined) throw new Error(`${ownerId} has no receiver, and so no client id`);
    return openClientId(keyring, found);
  };
}

/**
 * Changes where the events of an owner go; with null they are held until there is a URL again. The URL was checked by the
 * caller (`assertWebhookTarget`).
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function updateReceiverUrl(tx: Tx, ownerId: string, url: string | null): Promise<Receiver> {
  const updated = await setReceiverUrl(tx, ownerId, url);
  if (updated === undefined) throw receiverNotFound();
  return withoutKeys(updated);
}
