import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findPayTag, findPayTags, type PayTag } from '#modules/customers';
import { type Account, type Amounts, amountsOf } from '#modules/ledger';
import type { WalletParts } from './parts-store.ts';
import { selectByCustomer, selectByReference, selectMatching } from './store.ts';

/** The error for a wallet that does not exist or is not the caller's. */
export const walletNotFound = (): DomainError => new DomainError('WALLET_NOT_FOUND', 'there is no such wallet');

/** A partner wallet as its partner sees it. */
export interface PartnerWalletView {
  id: number;
  reference: string;
  revokedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** Without e-mail and phone to a partner that does not know the customer, but only linked their BVN. */
  payTag: PayTag | undefined;
  /** `id` is the partner's own number of the person. */
  kycProfile: { id: number; name: string } | undefined;
  wallet: {
    id: number;
    createdAt: Date;
    updatedAt: Date;
    /** Of its last entry, which may be later than now where a clock was set back. */
    movedAt: Date | null;
    amounts: Amounts;
    currency: Account['currency'];
    status: Account['status'];
    nuban: string;
    name: string;
    type: string;
    metadata: Record<string, unknown> | undefined;
  };
}

/** A wallet of this partner. @throws DomainError WALLET_NOT_FOUND, also for a wallet of another partner */
export async function getPartnerWallet(
  db: Executor,
  keyring: Keyring,
  { partnerId, reference }: { partnerId: string; reference: string },
): Promise<PartnerWalletView> {
  return viewFound(db, keyring, await selectByReference(db, keyring, { partnerId, reference }));
}

/** The wallet of a customer at a partner. @throws DomainError WALLET_NOT_FOUND */
export async function getCustomerWallet(
  { db, keyring }: { db: Database; keyring: Keyring },
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<PartnerWalletView> {
  const [parts, payTag] = await Promise.all([
    selectByCustomer(db, keyring, { partnerId, customerId }),
    findPayTag(db, keyring, customerId),
  ]);
  if (parts === undefined) throw walletNotFound();
  return toPartnerView(parts, payTag);
}

/** A partner's wallets, newest first, the revoked ones included. `count` is of all of them. */
export async function listWallets(
  { readLong, keyring }: { readLong: ReadLong; keyring: Keyring },
  { partnerId, ...page }: { partnerId: string } & PageRequest<number>,
): Promise<Listed<PartnerWalletView, number>> {
  return readLong(`partner:${partnerId}`, async (db) => {
    const { items, ...found } = await selectMatching(db, { partnerId }, page);
    const viewed = await viewAll(db, keyring, items);
    return { items: viewed.map(({ view }) => view), ...found };
  });
}

/** Shows wallets with the PayTags of their customers, which are read together. */
export async function viewAll(
  db: Executor,
  keyring: Keyring,
  wallets: readonly WalletParts[],
): Promise<{ parts: WalletParts; view: PartnerWalletView }[]> {
  const holders = wallets.map(({ wallet }) => wallet.customerId).filter((id) => id !== null);
  const payTags = await findPayTags(db, keyring, holders);
  return wallets.map((parts) => ({
    parts,
    view: toPartnerView(parts, payTags.get(parts.wallet.customerId ?? '')),
  }));
}

/** A wallet that was looked for, with the PayTag of its customer. @throws DomainError WALLET_NOT_FOUND when there is none */
export async function viewFound(
  db: Executor,
  keyring: Keyring,
  parts: WalletParts | undefined,
): Promise<PartnerWalletView> {
  if (parts === undefined) throw walletNotFound();
  const { customerId } = parts.wallet;
  return toPartnerView(parts, customerId === null ? undefined : await findPayTag(db, keyring, customerId));
}

function toPartnerView(parts: WalletParts, payTag: PayTag | undefined): PartnerWalletView {
  const { wallet, account, kycProfile: profile } = parts;
  const shown = payTag && (wallet.knownSince === null ? { ...payTag, email: undefined, phone: undefined } : payTag);
  const kycProfile = profile === null ? undefined : { id: profile.number, name: fullName(profile) };
  return {
    id: wallet.id,
    reference: wallet.reference,
    revokedAt: wallet.revokedAt,
    createdAt: wallet.createdAt,
    updatedAt: wallet.updatedAt,
    payTag: shown,
    kycProfile,
    wallet: {
      id: account.id,
      createdAt: account.createdAt,
      updatedAt: account.updatedAt,
      movedAt: account.movedAt,
      amounts: amountsOf(account),
      currency: account.currency,
      status: account.status,
      nuban: wallet.nuban,
      name: payTag?.name ?? kycProfile?.name ?? wallet.reference,
      type: payTag === undefined ? 'KYC' : 'PayTag',
      metadata: wallet.metadata ?? undefined,
    },
  };
}

const fullName = (names: { firstName: string; otherName: string | null; lastName: string }): string =>
  [names.firstName, names.otherName, names.lastName].filter(Boolean).join(' ');
