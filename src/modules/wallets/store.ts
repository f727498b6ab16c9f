import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { account } from '#modules/ledger';
import type { Executor, Tx } from '../../lib/database.ts';
import { kycProfile, partnerWallet } from './tables.ts';

export type KycProfile = typeof kycProfile.$inferSelect;

const walletParts = { wallet: partnerWallet, account, kycProfile };

/** A wallet with its account and, when it is kept for one, its KYC profile. */
export type WalletParts = Awaited<ReturnType<typeof selectByReference>>;

export async function nextNubanSerial(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ serial: string }>(sql`select nextval('wallets.nuban_serial') as serial`);
  return Number(rows[0]?.serial);
}

export async function insertWallet(tx: Tx, values: typeof partnerWallet.$inferInsert): Promise<void> {
  await tx.insert(partnerWallet).values(values);
}

export async function insertKycProfile(tx: Tx, values: typeof kycProfile.$inferInsert): Promise<KycProfile> {
  const [profile] = await tx.insert(kycProfile).values(values).returning();
  if (profile === undefined) throw new Error('an insert returned nothing');
  return profile;
}

/** A profile of this partner, and of no other. */
export async function selectKycProfile(db: Executor, partnerId: string, id: number): Promise<KycProfile | undefined> {
  const [profile] = await db
    .select()
    .from(kycProfile)
    .where(and(eq(kycProfile.id, id), eq(kycProfile.partnerId, partnerId)));
  return profile;
}

/** A wallet of this partner, and of no other. */
export async function selectByReference(db: Executor, partnerId: string, reference: string) {
  const [parts] = await selectParts(db).where(
    and(eq(partnerWallet.partnerId, partnerId), eq(partnerWallet.reference, reference)),
  );
  return parts;
}

/** The live wallet of a customer at a partner. */
export async function selectByCustomer(db: Executor, partnerId: string, customerId: string): Promise<WalletParts> {
  const [parts] = await selectParts(db).where(
    and(
      eq(partnerWallet.partnerId, partnerId),
      eq(partnerWallet.customerId, customerId),
      isNull(partnerWallet.revokedAt),
    ),
  );
  return parts;
}

export async function countOfCustomer(tx: Tx, customerId: string): Promise<number> {
  const [row] = await tx
    .select({ wallets: count() })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  return row?.wallets ?? 0;
}

/** Makes everyone who opens a wallet for this customer wait for this transaction. */
export async function lockCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`wallets.open:${customerId}`}, 0))`);
}

function selectParts(db: Executor) {
  return db
    .select(walletParts)
    .from(partnerWallet)
    .innerJoin(account, eq(account.id, partnerWallet.accountId))
    .leftJoin(kycProfile, eq(kycProfile.id, partnerWallet.kycProfileId));
}
