import type { Clock } from '#lib/clock.ts';
import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { findLien, type Lien, liftLien, type Minor, placeLien } from '#modules/ledger';
import { selectLocked } from './store.ts';
import { walletNotFound } from './wallet-view.ts';

type Deps = { transact: Transact; clock: Clock };

interface LienChange {
  actor: string;
  walletReference: string;
  reason: string;
}

/**
 * Keeps an amount of a wallet from being spent, even when the wallet does not hold that much yet. Audited.
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_REVOKED
 */
export async function placeWalletLien(
  { transact, clock }: Deps,
  { actor, walletReference, amount, reason }: LienChange & { amount: Minor },
): Promise<Lien> {
  return transact(async (tx) => {
    const { account, isRevoked } = await lockedWallet(tx, walletReference);
    if (isRevoked) throw new DomainError('WALLET_REVOKED', 'the wallet is revoked, for good');
    const id = await placeLien(tx, { account, amount, reason }, clock.now());
    const after = { lien: id, amount: String(amount) };
    await recordChange(tx, { actor, action: 'wallet.lien.place', target: walletReference, after, reason });
    return requireLien(tx, account, id);
  });
}

/** Lets the amount of a lien be spent again. Audited. @throws DomainError WALLET_NOT_FOUND, LIEN_NOT_FOUND, LIEN_LIFTED */
export async function liftWalletLien(
  { transact, clock }: Deps,
  { actor, walletReference, lien, reason }: LienChange & { lien: number },
): Promise<Lien> {
  return transact(async (tx) => {
    const { account } = await lockedWallet(tx, walletReference);
    const { amount } = await requireLien(tx, account, lien);
    if (!(await liftLien(tx, { account, lien }, clock.now()))) {
      throw new DomainError('LIEN_LIFTED', 'this lien has been lifted already');
    }
    const before = { lien, amount: String(amount) };
    await recordChange(tx, { actor, action: 'wallet.lien.lift', target: walletReference, before, reason });
    return requireLien(tx, account, lien);
  });
}

async function lockedWallet(tx: Tx, walletReference: string): Promise<{ account: number; isRevoked: boolean }> {
  const wallet = await selectLocked(tx, walletReference);
  if (wallet === undefined) throw walletNotFound();
  return { account: wallet.accountId, isRevoked: wallet.revokedAt !== null };
}

async function requireLien(tx: Tx, account: number, lien: number): Promise<Lien> {
  const found = await findLien(tx, { account, lien });
  if (found === undefined) throw new DomainError('LIEN_NOT_FOUND', 'this wallet has no such lien');
  return found;
}
