import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { timeOrderedId } from '#lib/random.ts';
import { openClientId, sealReceiverKeys } from './receiver-keys.ts';
import {
  assertEndpoint,
  changeEndpoint,
  type EndpointName,
  type EndpointRow,
  insertReceiver,
  lockEndpoint,
  type ReceiverRow,
  receiverMac,
  selectClientIds,
  selectEndpoint,
  selectEndpoints,
} from './store.ts';

export interface NewReceiver {
  /** The partner or application. */
  ownerId: string;
  ownerKind: ReceiverRow['ownerKind'];
  now: Date;
  /** Checked by the caller (`assertWebhookTarget`). Null: events are held until a URL is set. */
  url: string | null;
  /** Keys R-Signature. */
  clientId: string;
  /** `whsec_` and base64: keys the Standard Webhooks signature. */
  secret: string;
}

/** Gives a partner or application its receiver: from now on its events are written and, with a URL, delivered. */
export async function registerReceiver(tx: Tx, keyring: Keyring, receiver: NewReceiver): Promise<{ id: string }> {
  const { ownerId, ownerKind, url } = receiver;
  const id = timeOrderedId(receiver.now);
  const route = { id, ownerId, ownerKind, defaultId: null, url, events: null };
  const routingMac = receiverMac(keyring, route);
  await insertReceiver(tx, { ...route, routingMac, ...sealReceiverKeys(keyring, id, receiver) });
  return { id };
}

/** An endpoint without its keys. */
export type Receiver = Omit<
  EndpointRow,
  | 'clientIdSealed'
  | 'secretSealed'
  | 'previousSecretSealed'
  | 'headersSealed'
  | 'routingMac'
  | 'defaultId'
  | 'others'
  | 'eventsFrom'
  | 'deletedAt'
> & { isDefault: boolean };

/** Drops the sealed keys of a receiver, for responses. */
export const withoutKeys = ({
  clientIdSealed: _c,
  secretSealed: _s,
  previousSecretSealed: _p,
  headersSealed: _h,
  routingMac: _m,
  defaultId,
  others: _o,
  eventsFrom: _f,
  deletedAt: _d,
  ...receiver
}: EndpointRow): Receiver => ({ ...receiver, isDefault: defaultId === null });

/** An endpoint of a partner or application, by default the default one; undefined if there is none. */
export async function readReceiver(db: Executor, ownerId: string, endpointId?: string): Promise<Receiver | undefined> {
  const found = await selectEndpoint(db, { ownerId, endpointId });
  return found && withoutKeys(found);
}

/** All endpoints of a partner or application, the default one first. */
export async function readReceivers(db: Executor, ownerId: string): Promise<Receiver[]> {
  const found = await selectEndpoints(db, ownerId);
  return found.map(withoutKeys);
}

/**
 * An endpoint, locked against other changes until the transaction ends; events are still written in the meantime.
 *
 * @throws DomainError RECEIVER_NOT_FOUND; ENDPOINT_NOT_FOUND if one was named
 */
export async function lockReceiver(tx: Tx, name: EndpointName): Promise<EndpointRow> {
  const found = await lockEndpoint(tx, name);
  if (found === undefined) throw name.endpointId === undefined ? receiverNotFound() : endpointNotFound();
  return found;
}

/**
 * The same, for a change of its route, keys or further endpoints: verifies the row first, so that our new MAC never vouches for a
 * change made outside the server.
 *
 * @throws AlteredRecord
 */
export async function lockAuthentic(tx: Tx, keyring: Keyring, name: EndpointName): Promise<EndpointRow> {
  const found = await lockReceiver(tx, name);
  assertEndpoint(keyring, found);
  return found;
}

/**
 * The client ids of partners or applications, by owner id: only this room stores them, sealed. The returned function throws for
 * an id that was not given.
 *
 * @throws Error for an owner without a receiver; every registered owner has one
 */
export async function readClientIds(
  db: Executor,
  keyring: Keyring,
  ownerIds: readonly string[],
): Promise<(ownerId: string) => string> {
  const rows = await selectClientIds(db, ownerIds);
  const sealed = new Map(rows.map((row) => [row.ownerId, row]));
  return (ownerId) => {
    const found = sealed.get(ownerId);
    if (found === undefined) throw new Error(`${ownerId} has no receiver, and so no client id`);
    return openClientId(keyring, found);
  };
}

/**
 * Changes where the events of an owner go; with null they are held until a URL is set. The URL was checked by the
 * caller (`assertWebhookTarget`).
 *
 * @returns the default endpoint as it was before
 * @throws DomainError RECEIVER_NOT_FOUND; AlteredRecord
 */
export async function updateReceiverUrl(
  tx: Tx,
  keyring: Keyring,
  { ownerId, url }: { ownerId: string; url: string | null },
): Promise<EndpointRow> {
  const before = await lockAuthentic(tx, keyring, { ownerId });
  await changeEndpoint(tx, keyring, before, { url });
  return before;
}

/** The error of an owner that has no receiver. */
export const receiverNotFound = () =>
  new DomainError('RECEIVER_NOT_FOUND', 'no webhook receiver is registered for this id');

/** The error of an owner that has no such endpoint, or has deleted it. */
export const endpointNotFound = () => new DomainError('ENDPOINT_NOT_FOUND', 'there is no such webhook endpoint');
