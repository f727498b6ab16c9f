import type { Tx } from '#lib/database.ts';
import { randomId } from '#lib/random.ts';
import { type Currency, openWalletAccount } from '#modules/ledger';
import { nubanOf } from './nuban.ts';
import { insertWallet, lockCustomer, nextNubanSerial, selectByCustomer, selectPrimary } from './store.ts';

interface Deps {
  /** Our CBN institution code, which is part of the check digit of account numbers. */
  nubanInstitutionCode: string;
}

/** To whom a wallet belongs. */
type Holder = { customerId: string; isPrimary: boolean } | { kycProfileId: number };

/**
 * The wallet of a customer at a partner, which is opened the first time. A customer's first wallet anywhere is the primary one.
 *
 * @returns the wallet's reference
 */
export async function openCustomerWallet(
  tx: Tx,
  deps: Deps,
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<string> {
  await lockCustomer(tx, customerId);
  const existing = await selectByCustomer(tx, partnerId, customerId);
  if (existing !== undefined) return existing.wallet.reference;
  const isPrimary = (await selectPrimary(tx, customerId)) === undefined;
  return openWallet(tx, deps, { partnerId, currency: 'NGN', holder: { customerId, isPrimary } });
}

/** Opens a wallet and its account. @returns the wallet's reference: ours, unique and opaque */
export async function openWallet(
  tx: Tx,
  deps: Deps,
  { partnerId, currency, holder }: { partnerId: string; currency: Currency; holder: Holder },
): Promise<string> {
  const reference = `PW-${randomId()}`;
  const account = await openWalletAccount(tx, { partnerId, reference, currency });
  const nuban = nubanOf(deps.nubanInstitutionCode, await nextNubanSerial(tx));
  const tier = 'customerId' in holder ? 2 : 1;
  await insertWallet(tx, { partnerId, reference, accountId: account.id, nuban, tier, ...holder });
  return reference;
}
