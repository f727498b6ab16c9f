import { and, asc, count, eq, isNull } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { apiKey } from './tables.ts';

/** An API key, of which nothing is known but that there is one. */
export type ApiKey = Omit<typeof apiKey.$inferSelect, 'digest' | 'partnerId'>;

const shown = { id: apiKey.id, createdAt: apiKey.createdAt, revokedAt: apiKey.revokedAt };

export async function insertApiKey(tx: Tx, partnerId: string, digest: Buffer): Promise<ApiKey> {
  const [created] = await tx.insert(apiKey).values({ partnerId, digest }).returning(shown);
  if (created === undefined) throw new Error('an insert returned nothing');
  return created;
}

/** Oldest first, those revoked among them. */
export async function selectApiKeys(db: Executor, partnerId: string): Promise<ApiKey[]> {
  return db.select(shown).from(apiKey).where(eq(apiKey.partnerId, partnerId)).orderBy(asc(apiKey.id));
}

export async function countActiveKeys(tx: Tx, partnerId: string): Promise<number> {
  const active = and(eq(apiKey.partnerId, partnerId), isNull(apiKey.revokedAt));
  const [row] = await tx.select({ count: count() }).from(apiKey).where(active);
  return row?.count ?? 0;
}

export async function selectApiKey(tx: Tx, partnerId: string, id: string): Promise<ApiKey | undefined> {
  const [found] = await tx
    .select(shown)
    .from(apiKey)
    .where(and(eq(apiKey.partnerId, partnerId), eq(apiKey.id, id)));
  return found;
}

export async function setKeyRevoked(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.update(apiKey).set({ revokedAt: now }).where(eq(apiKey.id, id));
}
