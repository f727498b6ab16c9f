import { and, eq, isNull, sql } from '#drizzle';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { assertAuthentic } from '#lib/crypto/routing-facts.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import { recordChange } from '#modules/audit';
import { partnerWallet, type Tier } from './tables.ts';
import { macOfWallet, walletRoute } from './wallet-route.ts';

type PartnerWalletRow = typeof partnerWallet.$inferSelect;

/** Locks a wallet until this transaction ends. Comes before its account is locked. @throws AlteredRecord */
export async function selectLocked(tx: Tx, keyring: Keyring, reference: string): Promise<PartnerWalletRow | undefined> {
  const wallet = await lockNamed(tx, { reference });
  if (wallet !== undefined) assertAuthentic(keyring, walletRoute, wallet);
  return wallet;
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

/** Marks a locked wallet as revoked and no longer the primary one. */
export async function updateRevoked(tx: Tx, keyring: Keyring, wallet: PartnerWalletRow, now: Date): Promise<void> {
  await change(tx, { revokedAt: now, ...primary(keyring, wallet, false), updatedAt: now }, { id: wallet.id });
}

/**
 * Makes that live wallet the primary one where the customer first proved who they are, or else the oldest. A change is audited.
 *
 * @throws AlteredRecord when one of the two is not as we stored it
 */
export async function choosePrimary(tx: Tx, keyring: Keyring, customerId: string, now: Date): Promise<void> {
  const wallets = await inOrderOfProof(tx, { customerId });
  const [chosen] = wallets;
  if (chosen === undefined || chosen.isPrimary) return;
  const before = wallets.find(({ isPrimary }) => isPrimary);
  for (const wallet of before === undefined ? [chosen] : [before, chosen]) {
    assertAuthentic(keyring, walletRoute, wallet);
    await change(tx, { ...primary(keyring, wallet, wallet === chosen), updatedAt: now }, { id: wallet.id });
  }
  await recordChange(tx, {
    actor: 'system',
    action: 'wallet.primary',
    target: customerId,
    ...(before !== undefined && { before: { wallet: before.reference } }),
    after: { wallet: chosen.reference },
  });
}

const primary = (keyring: Keyring, wallet: PartnerWalletRow, isPrimary: boolean) => ({
  isPrimary,
  routingMac: macOfWallet(keyring, { ...wallet, isPrimary }),
});

const inOrderOfProof = prepared('wallets.in-order-of-proof', (db, given: Given<{ customerId: string }>) =>
  db
    .select()
    .from(partnerWallet)
    .where(and(eq(partnerWallet.customerId, given.customerId), isNull(partnerWallet.revokedAt)))
    .orderBy(sql`${partnerWallet.provenAt} nulls last`, partnerWallet.id),
);
