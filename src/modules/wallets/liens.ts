import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Judge, toMajor } from '#lib/minor-units.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { notifyPartner } from '#modules/clients';
import {
  asMinor,
  findLien,
  findWalletAccount,
  type Lien,
  liftLien,
  listLiens,
  listOpenHolds,
  type Minor,
  type OpenHold,
  placeLien,
} from '#modules/ledger';
import { walletNotFound } from './find-wallets.ts';
import { selectLocked } from './store.ts';

type Deps = { transact: Transact; clock: Clock; keyring: Keyring };

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
export async function placeWalletLien(deps: Deps, change: LienChange & { amount: Minor }): Promise<Lien> {
  return deps.transact((tx) => placeLienFor(tx, deps, change));
}

/**
 * The same in a transaction of the caller's, and for what alone lifts it (`liftLienOf`).
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_REVOKED
 */
export async function placeLienFor(
  tx: Tx,
  { clock, keyring }: Pick<Deps, 'clock' | 'keyring'>,
  { actor, walletReference, amount, reason, heldFor }: LienChange & { amount: Minor; heldFor?: Lien['heldFor'] },
): Promise<Lien> {
  const { account, isRevoked } = await lockWallet(tx, keyring, walletReference);
  if (isRevoked) throw new DomainError('WALLET_REVOKED', 'the wallet is revoked, for good');
  const id = await placeLien(tx, { account, amount, reason, heldFor }, clock.now());
  const after = { lien: id, amount: String(amount) };
  await recordChange(tx, { actor, action: 'wallet.lien.place', target: walletReference, after, reason });
  return requireLien(tx, account, id);
}

/**
 * Lets the amount of a lien be spent again. Audited; the partner’s contact gets a mail.
 *
 * @throws DomainError WALLET_NOT_FOUND, LIEN_NOT_FOUND, LIEN_LIFTED; LIEN_OF_DISPUTE for one that its dispute lifts
 */
export async function liftWalletLien(
  deps: Deps & { securityLog: SecurityLog },
  { judge, ...change }: LienChange & { lien: number; judge: Judge },
): Promise<Lien> {
  const { partnerId, lien } = await deps.transact(async (tx) => {
    const lifted = await lift(tx, deps, change, null);
    judge(asMinor(lifted.lien.amount));
    const what = `a lien of ${toMajor(asMinor(lifted.lien.amount))} on the wallet ${change.walletReference} is lifted`;
    await notifyPartner(tx, deps, lifted.partnerId, { kind: 'MONEY_FREED', what });
    return lifted;
  });
  deps.securityLog.record('money_freed', { partnerId });
  return lien;
}

/** The same in a transaction of the caller's, of a lien that it has placed. @throws DomainError WALLET_NOT_FOUND, LIEN_NOT_FOUND, LIEN_LIFTED */
export async function liftLienOf(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keyring'>,
  { heldFor, ...change }: LienChange & { lien: number; heldFor: NonNullable<Lien['heldFor']> },
): Promise<void> {
  await lift(tx, deps, change, heldFor);
}

async function lift(
  tx: Tx,
  { clock, keyring }: Pick<Deps, 'clock' | 'keyring'>,
  { actor, walletReference, lien, reason }: LienChange & { lien: number },
  by: Lien['heldFor'],
): Promise<{ lien: Lien; partnerId: string }> {
  const { account, partnerId } = await lockWallet(tx, keyring, walletReference);
  const { amount, heldFor } = await requireLien(tx, account, lien);
  if (heldFor !== by) throw new DomainError('LIEN_OF_DISPUTE', 'this lien is lifted when its dispute is decided');
  if (!(await liftLien(tx, { account, lien }, clock.now()))) {
    throw new DomainError('LIEN_LIFTED', 'this lien has been lifted already');
  }
  const before = { lien, amount: String(amount) };
  await recordChange(tx, { actor, action: 'wallet.lien.lift', target: walletReference, before, reason });
  return { lien: await requireLien(tx, account, lien), partnerId };
}

/** Locks a wallet until this transaction ends: before its account is. @throws DomainError WALLET_NOT_FOUND */
export async function lockWallet(
  tx: Tx,
  keyring: Keyring,
  walletReference: string,
): Promise<{ account: number; partnerId: string; isRevoked: boolean }> {
  const wallet = await selectLocked(tx, keyring, walletReference);
  if (wallet === undefined) throw walletNotFound();
  return { account: wallet.accountId, partnerId: wallet.partnerId, isRevoked: wallet.revokedAt !== null };
}

async function requireLien(tx: Tx, account: number, lien: number): Promise<Lien> {
  const found = await findLien(tx, { account, lien });
  if (found === undefined) throw new DomainError('LIEN_NOT_FOUND', 'this wallet has no such lien');
  return found;
}

/** The account of a wallet of any partner. @throws DomainError WALLET_NOT_FOUND */
export async function accountOfWallet(db: Executor, reference: string): Promise<{ id: number; version: number }> {
  const account = await findWalletAccount(db, reference);
  if (account === undefined) throw walletNotFound();
  return account;
}

/** What of a wallet's money is set aside at this moment, newest first. @throws DomainError WALLET_NOT_FOUND */
export async function listWalletHolds(
  db: Executor,
  { reference, ...page }: { reference: string } & PageRequest<number>,
): Promise<Listed<OpenHold, number>> {
  return listOpenHolds(db, (await accountOfWallet(db, reference)).id, page);
}

/** The liens of a wallet, those that were lifted too, newest first. @throws DomainError WALLET_NOT_FOUND */
export async function listWalletLiens(
  db: Executor,
  { reference, ...page }: { reference: string } & PageRequest<number>,
): Promise<Listed<Lien, number>> {
  return listLiens(db, (await accountOfWallet(db, reference)).id, page);
}
