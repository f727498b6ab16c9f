import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { findPayTag, type PayTag } from '#modules/customers';
import { type Account, type Amounts, amountsOf } from '#modules/ledger';
import { selectByCustomer, selectByReference, type WalletParts } from './store.ts';

/** The refusal of a wallet that is not there, or not the caller's. */
export const walletNotFound = (): DomainError => new DomainError('WALLET_NOT_FOUND', 'there is no such wallet');

/** A partner wallet as its partner may see it. */
export interface PartnerWalletView {
  id: number;
  reference: string;
  revokedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  payTag: PayTag | undefined;
  kycProfile: { id: number; name: string } | undefined;
  wallet: {
    id: number;
    createdAt: Date;
    updatedAt: Date;
    amounts: Amounts;
    currency: Account['currency'];
    status: Account['status'];
    nuban: string;
    name: string;
    type: string;
  };
}

/** @throws DomainError WALLET_NOT_FOUND, also for a wallet of another partner */
export async function viewWallet(
  db: Executor,
  keyring: Keyring,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<PartnerWalletView> {
  return withPayTag(db, keyring, await selectByReference(db, partnerId, reference));
}

/** The wallet of a customer at a partner. @throws DomainError WALLET_NOT_FOUND */
export async function getCustomerWallet(
  { db, keyring }: { db: Database; keyring: Keyring },
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<PartnerWalletView> {
  return withPayTag(db, keyring, await selectByCustomer(db, partnerId, customerId));
}

/** @throws DomainError WALLET_NOT_FOUND when there is none */
export async function withPayTag(
  db: Executor,
  keyring: Keyring,
  parts: WalletParts | undefined,
): Promise<PartnerWalletView> {
  if (parts === undefined) throw walletNotFound();
  const { customerId } = parts.wallet;
  return toView(parts, customerId === null ? undefined : await findPayTag(db, keyring, customerId));
}

/** A wallet with the PayTag of the customer it is kept for. */
export function toView(parts: WalletParts, payTag: PayTag | undefined): PartnerWalletView {
  const { wallet, account, kycProfile: profile } = parts;
  const kycProfile = profile === null ? undefined : { id: profile.id, name: fullName(profile) };
  return {
    id: wallet.id,
    reference: wallet.reference,
    revokedAt: wallet.revokedAt,
    createdAt: wallet.createdAt,
    updatedAt: wallet.updatedAt,
    payTag,
    kycProfile,
    wallet: {
      id: account.id,
      createdAt: account.createdAt,
      updatedAt: account.updatedAt,
      amounts: amountsOf(account),
      currency: account.currency,
      status: account.status,
      nuban: wallet.nuban,
      name: payTag?.name ?? kycProfile?.name ?? wallet.reference,
      type: payTag === undefined ? 'KYC' : 'PayTag',
    },
  };
}

const fullName = (names: { firstName: string; otherName: string | null; lastName: string }): string =>
  [names.firstName, names.otherName, names.lastName].filter(Boolean).join(' ');
