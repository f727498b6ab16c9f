import type { Keyring } from '#lib/crypto/keyring.ts';
import {
  assertAuthentic,
  type FactsOf,
  type RoutingFacts,
  type RowInSql,
  readRow,
  routingMacOf,
  type Vouched,
} from '#lib/crypto/routing-facts.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { accountRoute } from '#modules/ledger';
import { profileRoute } from './kyc-store.ts';

/**
 * Whose a wallet is, which account its money is on, by what it is found, and whether money for its customer's PayTag arrives there.
 * All but the last never change.
 */
export const walletRoute = {
  table: 'wallets.partner_wallet',
  columns: ['reference', 'partnerId', 'customerId', 'kycProfileId', 'accountId', 'nuban', 'isPrimary'],
} as const satisfies RoutingFacts;

/** What the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [walletRoute, profileRoute];

/** The code of a wallet as it is to be stored. */
export const macOfWallet = (keyring: Keyring, wallet: FactsOf<typeof walletRoute>): Buffer =>
  routingMacOf(keyring, walletRoute, wallet);

/**
 * A read of one wallet, which is verified before anybody goes by it, and so are its account and KYC profile where they are read with it.
 *
 * @throws AlteredRecord for one that is not as we stored it
 */
export const verified =
  <
    Values,
    Found extends {
      wallet: Vouched<typeof walletRoute>;
      account?: Vouched<typeof accountRoute>;
      kycProfile?: Vouched<typeof profileRoute> | null;
    },
  >(
    read: (on: Executor, values: Values) => Promise<Found | undefined>,
  ) =>
  async (on: Executor, keyring: Keyring, values: Values): Promise<Found | undefined> => {
    const found = await read(on, values);
    if (found !== undefined) assertAuthentic(keyring, walletRoute, found.wallet);
    if (found?.account !== undefined) assertAuthentic(keyring, accountRoute, found.account);
    if (found?.kycProfile != null) assertAuthentic(keyring, profileRoute, found.kycProfile);
    return found;
  };

/** Passes a wallet that `wallets.primary_wallet` found and that is as we stored it. @throws AlteredRecord for another one */
export function assertWallet(keyring: Keyring, wallet: RowInSql<typeof walletRoute>): void {
  assertAuthentic(keyring, walletRoute, readRow(wallet));
}
