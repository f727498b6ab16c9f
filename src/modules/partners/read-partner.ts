import type { Database, Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Float, floatsOf } from '#modules/ledger';
import { readReceiver } from '#modules/outbox';
import { type ApiKey, type PartnerRow, selectApiKeys, selectPartner, selectPartners } from './store.ts';

/** A partner as the operator sees it, without its keys themselves. */
export interface OperatorPartnerView extends PartnerRow {
  /** Null: its events wait until there is one. */
  webhookUrl: string | null;
  keys: ApiKey[];
  /** What it keeps with us, in each currency. */
  floats: Float[];
}

/** The error for a partner that does not exist. */
export const partnerNotFound = () => new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');

/** A partner by our id of it, or undefined. */
export async function findPartner(
  db: Executor,
  id: string,
): Promise<Pick<PartnerRow, 'id' | 'name' | 'status'> | undefined> {
  return selectPartner(db, id);
}

/** All partners, or those of a status, newest first. `count` is of all that match. */
export async function listPartners(
  { db }: { db: Database },
  { status, ...page }: { status?: PartnerRow['status'] | undefined; limit: number; offset: number },
): Promise<{ items: PartnerRow[]; count: number }> {
  return selectPartners(db, status, page);
}

/** A partner with all that the operator may see of it. @throws DomainError PARTNER_NOT_FOUND */
export async function getPartner(db: Executor, id: string): Promise<OperatorPartnerView> {
  const found = await selectPartner(db, id);
  if (found === undefined) throw partnerNotFound();
  const receiver = await readReceiver(db, id);
  const [keys, floats] = [await selectApiKeys(db, id), await floatsOf(db, id)];
  return { ...found, webhookUrl: receiver?.url ?? null, keys, floats };
}
