import { and, eq, isNull, sql } from '#drizzle';
import type { Tx } from '#lib/database.ts';
import { type Given, prepared, preparedOne } from '#lib/prepared.ts';
import { preparedColumns, type Written } from '#lib/prepared-columns.ts';
import { partnerWallet, type Tier } from './tables.ts';

type PartnerWalletRow = typeof partnerWallet.$inferSelect;

/** Locks a wallet until this transaction ends. Comes before its account is locked. */
export async function selectLocked(tx: Tx, reference: string): Promise<PartnerWalletRow | undefined> {
  return lockNamed(tx, { reference });
}

const lockNamed = preparedOne('wallets.lock', (db, given: Given<{ reference: string }>) =>
  db.select().from(partnerWallet).where(eq(partnerWallet.reference, given.reference)).for('no key update'),
);

/** Locks the live wallets of a customer until this transaction ends, in the order of their accounts. */
export async function lockWalletsOf(tx: Tx, customerId: string): Promise<PartnerWalletRow[]> {
  return lockOf(tx, { customerId });
}

const lockOf = prepared('wallets.lock-of-customer', (db, given: Given<{ customerId: string }>) =>
  db
    .select()
    .from(partnerWallet)
    .where(and(eq(partnerWallet.customerId, given.customerId), isNull(partnerWallet.revokedAt)))
    .orderBy(partnerWallet.accountId)
    .for('no key update'),
);

/** Notes what a wallet returns to when its customer is released. */
export async function updateStatusBeforeFreeze(
  tx: Tx,
  id: number,
  statusBeforeFreeze: PartnerWalletRow['statusBeforeFreeze'],
  now: Date,
): Promise<void> {
  await change(tx, { statusBeforeFreeze, updatedAt: now }, { id });
}

const change = preparedColumns(
  'wallets.change',
  partnerWallet,
  (db, written: Written<Partial<PartnerWalletRow>>, given: Given<{ id: number }>) =>
    db.update(partnerWallet).set(written).where(eq(partnerWallet.id, given.id)),
);

/** Changes the tier of a wallet. */
export async function updateTier(tx: Tx, id: number, tier: Tier, now: Date): Promise<void> {
  await change(tx, { tier, updatedAt: now }, { id });
}

/** Marks a wallet as revoked and no longer the primary one. */
export async function updateRevoked(tx: Tx, id: number, now: Date): Promise<void> {
  await change(tx, { revokedAt: now, isPrimary: false, updatedAt: now }, { id });
}

/** Makes that live wallet the primary one where the customer first proved who they are, or else the oldest. */
export async function choosePrimary(tx: Tx, customerId: string, now: Date): Promise<void> {
  const chosen = await firstProven(tx, { customerId });
  if (chosen === undefined || chosen.isPrimary) return;
  await unsetPrimary(tx, { customerId, now });
  await change(tx, { isPrimary: true, updatedAt: now }, { id: chosen.id });
}

const firstProven = preparedOne('wallets.first-proven', (db, given: Given<{ customerId: string }>) =>
  db
    .select({ id: partnerWallet.id, isPrimary: partnerWallet.isPrimary })
    .from(partnerWallet)
    .where(and(eq(partnerWallet.customerId, given.customerId), isNull(partnerWallet.revokedAt)))
    .orderBy(sql`${partnerWallet.provenAt} nulls last`, partnerWallet.id)
    .limit(1),
);
const unsetPrimary = prepared('wallets.unset-primary', (db, given: Given<{ customerId: string; now: Date }>) =>
  db
    .update(partnerWallet)
    .set({ isPrimary: false, updatedAt: sql`${given.now}` })
    .where(and(eq(partnerWallet.customerId, given.customerId), sql`${partnerWallet.isPrimary}`)),
);
