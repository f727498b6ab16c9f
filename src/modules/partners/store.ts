import { eq } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Executor, Tx } from '../../lib/database.ts';
import { apiKey, partner } from './tables.ts';

export type PartnerRow = typeof partner.$inferSelect;

export async function insertPartner(tx: Tx, values: typeof partner.$inferInsert): Promise<PartnerRow> {
  const [created] = await tx.insert(partner).values(values).returning();
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

export async function selectPartner(db: Executor, id: string): Promise<PartnerRow | undefined> {
  const [found] = await db.select().from(partner).where(eq(partner.id, id));
  return found;
}

export async function insertApiKey(tx: Tx, partnerId: string, digest: Buffer): Promise<void> {
  await tx.insert(apiKey).values({ partnerId, digest });
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
