import type { Pool } from 'pg';
import { count, desc, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { partner } from './tables.ts';

export type PartnerRow = typeof partner.$inferSelect;

export async function insertPartner(tx: Tx, values: typeof partner.$inferInsert): Promise<PartnerRow> {
  const [created] = await tx.insert(partner).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

/** Locked until this transaction is over, if asked for. */
export async function selectPartner(db: Executor, id: string, lock?: 'locked'): Promise<PartnerRow | undefined> {
  const query = db.select().from(partner).where(eq(partner.id, id));
  const [found] = await (lock === undefined ? query : query.for('no key update'));
  return found;
}

/** Newest first. `count` is of all with this status. */
export async function selectPartners(
  db: Executor,
  status: PartnerRow['status'] | undefined,
  page: { limit: number; offset: number },
): Promise<{ items: PartnerRow[]; count: number }> {
  const matching = status && eq(partner.status, status);
  const items = await db
    .select()
    .from(partner)
    .where(matching)
    .orderBy(desc(partner.id))
    .limit(page.limit)
    .offset(page.offset);
  const [total] = await db.select({ count: count() }).from(partner).where(matching);
  return { items, count: total?.count ?? 0 };
}

export async function updatePartner(
  tx: Tx,
  id: string,
  values: { name?: string | undefined; redirectUrl?: string | undefined; status?: PartnerRow['status'] },
  now: Date,
): Promise<void> {
  await tx
    .update(partner)
    .set({ ...values, updatedAt: now })
    .where(eq(partner.id, id));
}

interface CredentialRow {
  id: string;
  name: string;
  status: PartnerRow['status'];
  redirect_url: string;
  digests: Buffer[];
}

const CREDENTIALS = `
  select p.id, p.name, p.status, p.redirect_url,
    array(select k.digest from partners.api_key k where k.partner_id = p.id and k.revoked_at is null) as digests
  from partners.partner p where p.client_id = $1`;

/** A partner and the digests of its active keys. Prepared: every partner and SSO call asks for it. */
export async function selectCredentials(pool: Pool, clientId: string): Promise<CredentialRow | undefined> {
  const { rows } = await pool.query<CredentialRow>({
    name: 'partner-credentials',
    text: CREDENTIALS,
    values: [clientId],
  });
  return rows[0];
}
