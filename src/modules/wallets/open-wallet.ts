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

/** What a partner keeps with a wallet. */
export type WalletMetadata = Record<string, unknown>;

/**
 * The wallet of a customer at a partner, which is opened the first time. A customer's first wallet anywhere is the primary one.
 *
 * @param given.metadata kept with a wallet that is opened now
 * @returns the wallet's reference
 */
export async function openCustomerWallet(
  tx: Tx,
  deps: Deps,
  { partnerId, customerId, metadata }: { partnerId: string; customerId: string; metadata?: WalletMetadata | undefined },
): Promise<string> {
  await lockCustomer(tx, customerId);
  const existing = await selectByCustomer(tx, partnerId, customerId);
  if (existing !== undefined) return existing.wallet.reference;
  const isPrimary = (await selectPrimary(tx, customerId)) === undefined;
  return openWallet(tx, deps, { partnerId, currency: 'NGN', holder: { customerId, isPrimary }, metadata });
}

/** Opens a wallet and its account. @returns the wallet's reference: ours, unique and opaque */
export async function openWallet(
  tx: Tx,
  deps: Deps,
  {
    partnerId,
    currency,
    holder,
    metadata,
  }: { partnerId: string; currency: Currency; holder: Holder; metadata?: WalletMetadata | undefined },
): Promise<string> {
  const reference = `PW-${randomId()}`;
  const holderId = 'customerId' in holder ? holder.customerId : undefined;
  const account = await openWalletAccount(tx, { partnerId, reference, currency, holderId });
  const nuban = nubanOf(deps.nubanInstitutionCode, await nextNubanSerial(tx));
  const tier = 'customerId' in holder ? 2 : 1;
  await insertWallet(tx, { partnerId, reference, accountId: account.id, nuban, tier, metadata, ...holder });
  return reference;
}
