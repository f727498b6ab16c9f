import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { forgetAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import {
  type AfterSettling,
  amountsOf,
  closeAccount,
  countPendingAbout,
  hasPending,
  liensOf,
  lockAccount,
  settlePendingTo,
} from '#modules/ledger';
import { walletNotFound } from './find-wallets.ts';
import { movementKeyOf, WALLETS } from './move-money.ts';
import { accountsOfCustomer } from './room.ts';
import {
  choosePrimary,
  lockCustomer,
  lockWalletsOf,
  selectLocked,
  selectOfAnyPartner,
  updateRevoked,
} from './store.ts';

/** The partner and the customer whose wallet was revoked. */
interface RevokedWallet {
  partnerId: string;
  customerId: string | undefined;
}

/**
 * Revokes an empty wallet for good: no money moves there again, and a later login or link opens another wallet. If it was the
 * customer's primary wallet, another one is chosen. Audited. A revoked wallet stays as it is.
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_NOT_EMPTY while it holds money, has a lien, or waits for money that is to come
 */
export async function revokeWallet(
  { afterSettling, keyring }: { afterSettling: AfterSettling; keyring: Keyring },
  tx: Tx,
  { actor, reference, reason }: { actor: string; reference: string; reason: string },
  now: Date,
): Promise<RevokedWallet> {
  const found = await selectOfAnyPartner(tx, keyring, { reference });
  if (found === undefined) throw walletNotFound();
  const { partnerId, customerId, accountId } = found.wallet;
  if (customerId !== null) await lockCustomer(tx, customerId); // before the wallet, in the order of `openCustomerWallet`
  const wallet = await selectLocked(tx, keyring, reference);
  const whose = { partnerId, customerId: customerId ?? undefined };
  if (wallet?.revokedAt !== null) return whose;

  await settlePendingTo(tx, accountId, { afterSettling });
  const account = await lockAccount(tx, accountId);
  const { total, suspended } = amountsOf(account);
  const isUnencumbered = (await liensOf(tx, accountId)).length === 0 && !(await hasPending(tx, accountId));
  if (total !== 0n || suspended !== 0n || !isUnencumbered) {
    throw new DomainError(
      'WALLET_NOT_EMPTY',
      'the wallet holds money or a lien, or money waits for it: empty it first',
    );
  }
  await closeAccount(tx, accountId, now);
  await updateRevoked(tx, keyring, wallet, now);
  forgetAfterCommit(tx, WALLETS, [movementKeyOf({ partnerId, reference })]);
  if (customerId !== null && wallet.isPrimary) await choosePrimary(tx, keyring, customerId, now);
  const change = { before: { status: account.status }, after: { status: 'Blocked', revokedAt: now.toISOString() } };
  await recordChange(tx, { actor, action: 'wallet.revoke', target: reference, ...change, reason });
  return whose;
}

/**
 * What keeps the wallets of a customer, whose row the caller has locked, from ending: money, holds, liens and pending money, one
 * line for each. What can be settled is settled first. Nothing moves in them until this transaction ends.
 */
export async function remainsIn(
  tx: Tx,
  { afterSettling }: { afterSettling: AfterSettling },
  customerId: string,
): Promise<string[]> {
  await lockCustomer(tx, customerId);
  const remains: string[] = [];
  for (const { reference, accountId } of await lockWalletsOf(tx, customerId)) {
    await settlePendingTo(tx, accountId, { afterSettling });
    const { total, suspended } = amountsOf(await lockAccount(tx, accountId));
    if (total !== 0n) remains.push(`wallet ${reference}: money`);
    if (suspended !== 0n) remains.push(`wallet ${reference}: a hold`);
    if ((await liensOf(tx, accountId)).length > 0) remains.push(`wallet ${reference}: a lien`);
  }
  for (const [account, reference] of await accountsOfCustomer(tx, customerId)) {
    const waiting = await countPendingAbout(tx, account);
    if (waiting > 0) remains.push(`wallet ${reference}: ${waiting} in suspense`);
  }
  return remains;
}

/** Revokes the live wallets of a customer in which nothing remains. Each is audited. */
export async function endWallets(
  tx: Tx,
  deps: { afterSettling: AfterSettling; keyring: Keyring },
  { customerId, actor, reason }: { customerId: string; actor: string; reason: string },
  now: Date,
): Promise<void> {
  for (const { reference } of await lockWalletsOf(tx, customerId)) {
    await revokeWallet(deps, tx, { actor, reference, reason }, now);
  }
}
