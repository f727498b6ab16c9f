import type { Database, Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Amounts, amountsOf, type Currency, currencies, findFloat } from '#modules/ledger';
import { readReceiver } from '#modules/outbox';
import { type ApiKey, selectApiKeys } from './key-store.ts';
import { type PartnerRow, selectPartner, selectPartners } from './store.ts';

/** A partner as the operator sees it, without its keys themselves. */
export interface OperatedPartner extends PartnerRow {
  /** Null: its events are kept. */
  webhookUrl: string | null;
  keys: ApiKey[];
  /** What it keeps with us, in each currency. */
  floats: { currency: Currency; amounts: Amounts }[];
}

export const partnerNotFound = () => new DomainError('PARTNER_NOT_FOUND', 'there is no such partner');

/** Newest first. */
export async function listPartners(
  { db }: { db: Database },
  { status, ...page }: { status?: PartnerRow['status'] | undefined; limit: number; offset: number },
): Promise<{ items: PartnerRow[]; count: number }> {
  return selectPartners(db, status, page);
}

/** @throws DomainError PARTNER_NOT_FOUND */
export async function getPartner(db: Executor, id: string): Promise<OperatedPartner> {
  const found = await selectPartner(db, id);
  if (found === undefined) throw partnerNotFound();
  const receiver = await readReceiver(db, id);
  const floats = await floatsOf(db, id);
  return { ...found, webhookUrl: receiver?.url ?? null, keys: await selectApiKeys(db, id), floats };
}

async function floatsOf(db: Executor, id: string): Promise<OperatedPartner['floats']> {
  const floats: OperatedPartner['floats'] = [];
  for (const currency of currencies) {
    const account = await findFloat(db, id, currency);
    if (account !== undefined) floats.push({ currency, amounts: amountsOf(account) });
  }
  return floats;
}
