import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import {
  type AfterSettling,
  amountsOf,
  countPendingAbout,
  liensOf,
  lockAccount,
  settlePendingTo,
} from '#modules/ledger';
import { lockWalletsOf } from './change-store.ts';
import { revokeWallet } from './revoke-wallet.ts';
import { accountsOfCustomer } from './room.ts';
import { lockCustomer } from './store.ts';

/**
 * What keeps the wallets of a customer, whose row the caller has locked, from ending: money, holds, liens and what waits, one
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

/** Revokes the live wallets of a customer in which nothing remains. Audited, each by itself. */
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
