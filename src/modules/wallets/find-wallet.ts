import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Currency } from '#modules/ledger';
import type { WalletParts } from './parts-store.ts';
import { selectByCustomer, selectByNuban, selectByReference, selectOfAccount, selectOfAnyPartner } from './store.ts';
import type { Tier } from './tables.ts';
import { walletNotFound } from './wallet-view.ts';

/** What is needed of a wallet to move its money. */
export interface FoundWallet {
  reference: string;
  partnerId: string;
  /** The ledger account. */
  account: number;
}

/** A wallet of this partner, also one that is revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWallet(
  db: Executor,
  keyring: Keyring,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<FoundWallet> {
  return found(await selectByReference(db, keyring, { partnerId, reference }));
}

/** A live wallet that is to pay, and whose it is. */
export interface PayingWallet extends FoundWallet {
  currency: Currency;
  tier: Tier;
  /** The customer, or the names of the KYC profile. */
  owner: string | { firstName: string; otherName?: string | undefined; lastName: string };
}

/** A live wallet: of a partner by its reference, or a customer's at a partner. @throws DomainError WALLET_NOT_FOUND */
export async function findPayingWallet(
  db: Executor,
  keyring: Keyring,
  { partnerId, ...which }: { partnerId: string } & ({ reference: string } | { customerId: string }),
): Promise<PayingWallet> {
  const parts =
    'reference' in which
      ? await selectByReference(db, keyring, { partnerId, ...which })
      : await selectByCustomer(db, keyring, { partnerId, ...which });
  if (parts === undefined || parts.wallet.revokedAt !== null) throw walletNotFound();
  const { wallet, account, kycProfile } = parts;
  const owner = wallet.customerId ?? kycProfile;
  if (owner === null) throw new Error(`wallet ${wallet.reference} is nobody’s`);
  const names = typeof owner === 'string' ? owner : { ...owner, otherName: owner.otherName ?? undefined };
  return { ...found(parts), currency: account.currency, tier: wallet.tier, owner: names };
}

/** The wallet of an account number, also one that is revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWalletByNuban(db: Executor, keyring: Keyring, nuban: string): Promise<FoundWallet> {
  return found(await selectByNuban(db, keyring, { nuban }));
}

/** A wallet of any partner by its reference, also one that is revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWalletOfReference(db: Executor, keyring: Keyring, reference: string): Promise<FoundWallet> {
  return found(await selectOfAnyPartner(db, keyring, { reference }));
}

/** The customer to whom the wallet of an account number belongs, also one that is revoked. */
export async function findHolderOfNuban(db: Executor, keyring: Keyring, nuban: string): Promise<string | undefined> {
  return (await selectByNuban(db, keyring, { nuban }))?.wallet.customerId ?? undefined;
}

/** The wallet of a ledger account, of any partner, also one that is revoked; undefined for an account of no wallet. */
export async function findWalletOfAccount(
  db: Executor,
  keyring: Keyring,
  account: number,
): Promise<FoundWallet | undefined> {
  const parts = await selectOfAccount(db, keyring, { accountId: account });
  return parts && found(parts);
}

function found(parts: WalletParts | undefined): FoundWallet {
  if (parts === undefined) throw walletNotFound();
  const { reference, partnerId, accountId } = parts.wallet;
  return { reference, partnerId, account: accountId };
}
