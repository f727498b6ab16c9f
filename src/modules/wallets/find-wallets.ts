import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { findPayee, findPayTags } from '#modules/customers';
import { selectMatching, type WalletFilter } from './store.ts';
import { type PartnerWalletView, toView } from './view-wallet.ts';

/** A wallet in the operator's list: without its rules and liens. */
export interface ListedWallet {
  view: PartnerWalletView;
  partnerId: string;
  customerId: string | undefined;
  isPrimary: boolean;
}

/** Wallets of whichever partners, newest first, the revoked ones too; `count` is of all that match. */
export async function findWallets(
  { db, keyring }: { db: Database; keyring: Keyring },
  {
    paytag,
    limit,
    offset,
    ...filter
  }: Omit<WalletFilter, 'customerId'> & { paytag?: string | undefined; limit: number; offset: number },
): Promise<{ items: ListedWallet[]; count: number }> {
  const holder = paytag === undefined ? undefined : await findPayee(db, paytag);
  if (paytag !== undefined && holder === undefined) return { items: [], count: 0 };
  const { items, count } = await selectMatching(db, { ...filter, customerId: holder?.customerId }, { limit, offset });
  const holders = items.map(({ wallet }) => wallet.customerId).filter((id) => id !== null);
  const payTags = await findPayTags(db, keyring, holders);
  const listed = items.map((parts) => ({
    view: toView(parts, payTags.get(parts.wallet.customerId ?? '')),
    partnerId: parts.wallet.partnerId,
    customerId: parts.wallet.customerId ?? undefined,
    isPrimary: parts.wallet.isPrimary,
  }));
  return { items: listed, count };
}
