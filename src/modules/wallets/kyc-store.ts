import { and, eq, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { kycProfile } from './tables.ts';

export type KycProfile = typeof kycProfile.$inferSelect;

/** Whose profile it is, and who: payouts go to accounts in its names. None of this ever changes. */
export const profileRoute = {
  table: 'wallets.kyc_profile',
  columns: ['id', 'partnerId', 'number', 'firstName', 'lastName', 'otherName'],
} as const satisfies RoutingFacts;

/**
 * An id for a profile, and a number that none of this partner has. Outside of a transaction no caller waits for another; a caller that takes
 * it finds out when inserting whether the partner has chosen it meanwhile.
 */
export async function nextKycNumber(db: Executor, partnerId: string): Promise<{ id: number; number: number }> {
  const [row] = await nextNumber(db, [partnerId]);
  return { id: Number(row?.id), number: Number(row?.number) };
}

const NEXT_ID = `nextval('wallets.kyc_profile_id_seq') as id`;
const nextNumber = preparedText<{ id: string; number: string }>(
  'wallets.next-kyc-number',
  `select ${NEXT_ID}, wallets.next_kyc_number($1::uuid) as number`,
  { writes: true },
);

/** An id for a profile whose number its partner has chosen. */
export async function nextKycId(tx: Tx): Promise<number> {
  const [row] = await nextId(tx, []);
  return Number(row?.id);
}

const nextId = preparedText<{ id: string }>('wallets.next-kyc', `select ${NEXT_ID}`, { writes: true });

/** Stores a new KYC profile, unless the partner has one of this number: then undefined. */
export async function insertKycProfile(
  tx: Tx,
  keyring: Keyring,
  profile: {
    id: number;
    partnerId: string;
    number: number;
    firstName: string;
    lastName: string;
    otherName?: string | undefined;
  },
): Promise<KycProfile | undefined> {
  const named = { ...profile, otherName: profile.otherName ?? null };
  return add(tx, { ...named, routingMac: routingMacOf(keyring, profileRoute, named) });
}

const add = preparedOne('wallets.add-kyc', (db, given: Given<Omit<KycProfile, 'createdAt' | 'erasedAt'>>) =>
  db
    .insert(kycProfile)
    .overridingSystemValue()
    .values({
      id: sql`${given.id}`,
      partnerId: given.partnerId,
      number: given.number,
      firstName: given.firstName,
      lastName: given.lastName,
      otherName: sql`${given.otherName}`,
      routingMac: given.routingMac,
    })
    .onConflictDoNothing()
    .returning(),
);

/** A profile of this partner, and of no other, by the partner's number. @throws AlteredRecord */
export async function selectKycProfile(
  db: Executor,
  keyring: Keyring,
  { partnerId, number }: { partnerId: string; number: number },
): Promise<KycProfile | undefined> {
  const found = await byNumber(db, { partnerId, number });
  if (found !== undefined) assertAuthentic(keyring, profileRoute, found);
  return found;
}

const byNumber = preparedOne('wallets.kyc', (db, given: Given<{ partnerId: string; number: number }>) =>
  db
    .select()
    .from(kycProfile)
    .where(and(eq(kycProfile.partnerId, given.partnerId), eq(kycProfile.number, given.number))),
);
