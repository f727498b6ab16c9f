import { and, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { type Given, preparedOne, preparedText } from '#lib/prepared.ts';
import { preparedColumns, type Written } from '#lib/prepared-columns.ts';
import { kycProfile } from './tables.ts';

export type KycProfile = typeof kycProfile.$inferSelect;

/**
 * A number that no profile of this partner has. Outside of a transaction nobody waits for another; whoever takes it finds out
 * when inserting whether the partner has chosen it meanwhile.
 */
export async function nextKycNumber(db: Executor, partnerId: string): Promise<number> {
  const [row] = await nextNumber(db, [partnerId]);
  return Number(row?.number);
}

const nextNumber = preparedText<{ number: string }>(
  'wallets.next-kyc-number',
  'select wallets.next_kyc_number($1::uuid) as number',
  { writes: true },
);

/** Stores a new KYC profile, unless the partner has one of this number: then undefined. */
export async function insertKycProfile(
  tx: Tx,
  values: typeof kycProfile.$inferInsert,
): Promise<KycProfile | undefined> {
  const [profile] = await add(tx, values, {});
  return profile;
}

const add = preparedColumns('wallets.add-kyc', kycProfile, (db, written: Written<typeof kycProfile.$inferInsert>) =>
  db.insert(kycProfile).values(written).onConflictDoNothing().returning(),
);

/** A profile of this partner, and of no other, by the partner's number. */
export const selectKycProfile = (db: Executor, partnerId: string, number: number): Promise<KycProfile | undefined> =>
  byNumber(db, { partnerId, number });

const byNumber = preparedOne('wallets.kyc', (db, given: Given<{ partnerId: string; number: number }>) =>
  db
    .select()
    .from(kycProfile)
    .where(and(eq(kycProfile.partnerId, given.partnerId), eq(kycProfile.number, given.number))),
);
