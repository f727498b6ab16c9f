import { and, eq, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { kycProfile } from './tables.ts';

export type KycProfile = typeof kycProfile.$inferSelect;

/**
 * A number that no profile of this partner has. Outside of a transaction nobody waits for another; whoever takes it finds out
 * when inserting whether the partner has chosen it meanwhile.
 */
export async function nextKycNumber(db: Executor, partnerId: string): Promise<number> {
  const { rows } = await db.execute<{ number: string }>(
    sql`select wallets.next_kyc_number(${partnerId}::uuid) as number`,
  );
  return Number(rows[0]?.number);
}

/** Stores a new KYC profile, unless the partner has one of this number: then undefined. */
export async function insertKycProfile(
  tx: Tx,
  values: typeof kycProfile.$inferInsert,
): Promise<KycProfile | undefined> {
  const [profile] = await tx.insert(kycProfile).values(values).onConflictDoNothing().returning();
  return profile;
}

/** A profile of this partner, and of no other, by the partner's number. */
export async function selectKycProfile(
  db: Executor,
  partnerId: string,
  number: number,
): Promise<KycProfile | undefined> {
  const [profile] = await db
    .select()
    .from(kycProfile)
    .where(and(eq(kycProfile.partnerId, partnerId), eq(kycProfile.number, number)));
  return profile;
}
