import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { findPayee } from '#modules/customers';
import { type Lien, liensOf } from '#modules/ledger';
import { type DailyLimit, type DailyLimits, dailyLimitAt } from './daily-limit.ts';
import type { WalletParts } from './parts-store.ts';
import { selectMatching, selectOfAnyPartner, selectOfCustomer, type WalletFilter } from './store.ts';
import type { Tier } from './tables.ts';
import { type PartnerWalletView, viewAll, viewFound, walletNotFound } from './wallet-view.ts';

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
