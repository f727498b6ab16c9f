import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findPayee, findPayTag, findPayTags, type PayTag } from '#modules/customers';
import {
  type Account,
  type Amounts,
  amountsOf,
  asMinor,
  type Currency,
  type Lien,
  liensOf,
  type Minor,
  spentOn,
} from '#modules/ledger';
import {
  selectByCustomer,
  selectByNuban,
  selectByReference,
  selectMatching,
  selectOfAccount,
  selectOfAnyPartner,
  selectOfCustomer,
  type WalletFilter,
  type WalletParts,
} from './store.ts';
import type { Tier } from './tables.ts';

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
async function viewAll(
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
  return toFoundWallet(await selectByReference(db, keyring, { partnerId, reference }));
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
  if (owner === null) throw new Error(`wallet ${wallet.reference} has no owner`);
  const names = typeof owner === 'string' ? owner : { ...owner, otherName: owner.otherName ?? undefined };
  return { ...toFoundWallet(parts), currency: account.currency, tier: wallet.tier, owner: names };
}

/** The wallet of an account number, also one that is revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWalletByNuban(db: Executor, keyring: Keyring, nuban: string): Promise<FoundWallet> {
  return toFoundWallet(await selectByNuban(db, keyring, { nuban }));
}

/** A wallet of any partner by its reference, also one that is revoked. @throws DomainError WALLET_NOT_FOUND */
export async function findWalletOfReference(db: Executor, keyring: Keyring, reference: string): Promise<FoundWallet> {
  return toFoundWallet(await selectOfAnyPartner(db, keyring, { reference }));
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
  return parts && toFoundWallet(parts);
}

function toFoundWallet(parts: WalletParts | undefined): FoundWallet {
  if (parts === undefined) throw walletNotFound();
  const { reference, partnerId, accountId } = parts.wallet;
  return { reference, partnerId, account: accountId };
}

/** A wallet in the operator's list. */
export interface OperatorWalletSummary {
  view: PartnerWalletView;
  partnerId: string;
  customerId: string | undefined;
  isPrimary: boolean;
}

/** A wallet as the operator sees it. */
export interface OperatorWalletView extends OperatorWalletSummary {
  tier: Tier;
  dailyLimit: DailyLimit;
  /** True when the limit is one that the operator set, not the tier's. */
  hasOwnLimit: boolean;
  /** Those in force, oldest first. */
  liens: Lien[];
}

/** Wallets of all partners, newest first, the revoked ones included. `count` is of all that match. */
export async function findWalletsForOperator(
  { db, keyring }: { db: Database; keyring: Keyring },
  {
    paytag,
    limit,
    offset,
    cursor,
    isUncounted,
    ...filter
  }: Omit<WalletFilter, 'customerId'> & { paytag?: string | undefined } & PageRequest<number>,
): Promise<Listed<OperatorWalletSummary, number>> {
  const holder = paytag === undefined ? undefined : await findPayee(db, paytag);
  if (paytag !== undefined && holder === undefined) return { items: [], count: 0, countIsExact: true, next: undefined };
  const { items, ...found } = await selectMatching(
    db,
    { ...filter, customerId: holder?.customerId },
    { limit, offset, cursor, isUncounted },
  );
  const viewed = await viewAll(db, keyring, items);
  return { items: viewed.map(({ parts, view }) => summaryOf(view, parts)), ...found };
}

/** The wallets of a customer at all partners, newest first, the revoked ones included. */
export async function walletsOfCustomer(
  db: Executor,
  keyring: Keyring,
  customerId: string,
): Promise<OperatorWalletSummary[]> {
  const wallets = await selectOfCustomer(db, { customerId });
  return (await viewAll(db, keyring, wallets)).map(({ parts, view }) => summaryOf(view, parts));
}

/** A wallet of any partner. @throws DomainError WALLET_NOT_FOUND */
export async function getWalletForOperator(
  { keyring, dailyLimits, clock }: { keyring: Keyring; dailyLimits: DailyLimits; clock: Clock },
  db: Executor,
  reference: string,
): Promise<OperatorWalletView> {
  const parts = await selectOfAnyPartner(db, keyring, { reference });
  if (parts === undefined) throw walletNotFound();
  const { wallet, account } = parts;
  const { tier } = wallet;
  const [view, dailyLimit, liens] = await Promise.all([
    viewFound(db, keyring, parts),
    dailyLimitAt(db, account, { tier, dailyLimits, at: clock.now() }),
    liensOf(db, account.id),
  ]);
  return { ...summaryOf(view, parts), tier, dailyLimit, hasOwnLimit: account.dailyLimit !== null, liens };
}

const summaryOf = (view: PartnerWalletView, { wallet }: WalletParts): OperatorWalletSummary => ({
  view,
  partnerId: wallet.partnerId,
  customerId: wallet.customerId ?? undefined,
  isPrimary: wallet.isPrimary,
});

/** What each tier allows in a day, in minor units. */
export type DailyLimits = Readonly<Record<Tier, bigint>>;

/** How much a customer may spend in a day in Africa/Lagos, and how much of that is spent. Minor units. */
export interface DailyLimit {
  limit: Minor;
  /** Transfers and holds with their fees, out of all wallets of the customer. */
  spent: Minor;
  remaining: Minor;
}

/** What a tier allows in a day. */
export const limitOfTier = (tier: Tier, dailyLimits: DailyLimits): Minor => asMinor(dailyLimits[tier]);

/** What may be spent from a wallet in a day: its own limit where the operator set one, else its tier's. */
export const dailyLimitOf = (account: Pick<Account, 'dailyLimit'>, tier: Tier, dailyLimits: DailyLimits): Minor =>
  account.dailyLimit === null ? limitOfTier(tier, dailyLimits) : asMinor(account.dailyLimit);

/** The limit on the day of a moment. More than a limit may have been spent before it was lowered: then nothing remains. */
export async function dailyLimitAt(
  db: Executor,
  account: Pick<Account, 'dailyLimit' | 'holderId'>,
  { tier, dailyLimits, at }: { tier: Tier; dailyLimits: DailyLimits; at: Date },
): Promise<DailyLimit> {
  return toDailyLimit(dailyLimitOf(account, tier, dailyLimits), await spentOn(db, account.holderId, at));
}

const toDailyLimit = (limit: Minor, spent: Minor): DailyLimit => ({
  limit,
  spent,
  remaining: asMinor(spent < limit ? limit - spent : 0n),
});

/** What a customer may spend today of their wallet at a partner. @throws DomainError WALLET_NOT_FOUND */
export async function getDailyLimit(
  { db, keyring, dailyLimits, clock }: { db: Database; keyring: Keyring; dailyLimits: DailyLimits; clock: Clock },
  { partnerId, customerId }: { partnerId: string; customerId: string },
): Promise<DailyLimit> {
  const [parts, spent] = await Promise.all([
    selectByCustomer(db, keyring, { partnerId, customerId }),
    spentOn(db, customerId, clock.now()), // the holder of a customer's accounts is the customer
  ]);
  if (parts === undefined) throw walletNotFound();
  return toDailyLimit(dailyLimitOf(parts.account, parts.wallet.tier, dailyLimits), spent);
}
