import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { type Float, floatsIfAny } from '#modules/ledger';
import { readClientIds, readReceiver } from '#modules/outbox';
import {
  type ApiKey,
  CONTACT,
  type PartnerRow,
  selectApiKeys,
  selectPartner,
  selectPartners,
} from './partner-store.ts';

/** A partner as the operator sees it in a list. */
export type ListedPartner = Omit<PartnerRow, 'clientIdDigest' | 'contactEmailSealed' | 'routingMac'> & {
  clientId: string;
  contactEmail: string | undefined;
};

/** A stored partner with its client id, in place of the digest, and the address of its contact. */
export function withClientId(stored: PartnerRow, clientId: string, keyring: Keyring): ListedPartner {
  const { clientIdDigest: _digest, routingMac: _mac, contactEmailSealed, ...row } = stored;
  const contactEmail = contactEmailSealed === null ? undefined : keyring.open(CONTACT, [row.id], contactEmailSealed);
  return { ...row, clientId, contactEmail };
}

/** A partner as the operator sees it, without its keys themselves. */
export interface OperatorPartnerView extends ListedPartner {
  /** Null: its events are held until a URL is set. */
  webhookUrl: string | null;
  keys: ApiKey[];
  /** Its floats, one for each currency. */
  floats: Float[];
}

/** The error for a partner that does not exist. */
export const partnerNotFound = () => new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');

/** A partner by our id, or undefined. */
export async function findPartner(
  db: Executor,
  id: string,
): Promise<Pick<PartnerRow, 'id' | 'name' | 'status'> | undefined> {
  return selectPartner(db, id);
}

/** All partners, or those of a status, newest first. `count` is of all that match. */
export async function listPartners(
  { db, keyring }: { db: Database; keyring: Keyring },
  { status, ...page }: { status?: PartnerRow['status'] | undefined } & PageRequest<string>,
): Promise<Listed<ListedPartner, string>> {
  const { items, ...found } = await selectPartners(db, status, page);
  const clientIdOf = await readClientIds(
    db,
    keyring,
    items.map(({ id }) => id),
  );
  return { items: items.map((row) => withClientId(row, clientIdOf(row.id), keyring)), ...found };
}

/** Everything an operator may see of a partner. @throws DomainError PARTNER_NOT_FOUND */
export async function getPartner(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<OperatorPartnerView> {
  const [found, receiver, keys, floats, clientIdOf] = await Promise.all([
    selectPartner(db, id),
    readReceiver(db, id),
    selectApiKeys(db, id),
    floatsIfAny(db, id),
    readClientIds(db, keyring, [id]),
  ]);
  if (found === undefined) throw partnerNotFound();
  if (floats === undefined) throw new Error(`partner ${id} has no float in some currency`);
  return { ...withClientId(found, clientIdOf(id), keyring), webhookUrl: receiver?.url ?? null, keys, floats };
}
