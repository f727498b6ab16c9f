import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { recordChange } from '#modules/audit';
import {
  amountsOf,
  closeAccount,
  hasPendingRefunds,
  liensOf,
  lockAccount,
  settlePendingRefundsTo,
} from '#modules/ledger';
import { lockCustomer, makeOldestPrimary, selectLocked, selectOfAnyPartner, updateRevoked } from './store.ts';
import { walletNotFound } from './wallet-view.ts';

/** Whose wallet was revoked, and where. */
export interface RevokedWallet {
  partnerId: string;
  customerId: string | undefined;
}

/**
 * Revokes a wallet that is empty, for good: nothing moves it any more, and a later login or link opens another. Where it was
 * the customer's primary one, her oldest other wallet is that now. Audited; a wallet that is revoked stays as it is.
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_NOT_EMPTY while it holds money, a lien, or a refund that is on its way
 */
export async function revokeWallet(
  tx: Tx,
  { actor, reference, reason }: { actor: string; reference: string; reason: string },
  now: Date,
): Promise<RevokedWallet> {
  const found = await selectOfAnyPartner(tx, reference);
  if (found === undefined) throw walletNotFound();
  const { partnerId, customerId, accountId } = found.wallet;
  if (customerId !== null) await lockCustomer(tx, customerId); // before the wallet, as whoever opens one does
  const wallet = await selectLocked(tx, reference);
  const whose = { partnerId, customerId: customerId ?? undefined };
  if (wallet?.revokedAt !== null) return whose;

  await settlePendingRefundsTo(tx, accountId, now);
  const account = await lockAccount(tx, accountId);
  const { total, suspended } = amountsOf(account);
  const isFree = (await liensOf(tx, accountId)).length === 0 && !(await hasPendingRefunds(tx, accountId));
  if (total !== 0n || suspended !== 0n || !isFree) {
    throw new DomainError('WALLET_NOT_EMPTY', 'the wallet holds money, a lien or a pending refund: empty it first');
  }
  await closeAccount(tx, accountId, now);
  await updateRevoked(tx, wallet.id, now);
  if (customerId !== null && wallet.isPrimary) await makeOldestPrimary(tx, customerId, now);
  const change = { before: { status: account.status }, after: { status: 'Blocked', revokedAt: now.toISOString() } };
  await recordChange(tx, { actor, action: 'wallet.revoke', target: reference, ...change, reason });
  return whose;
}
