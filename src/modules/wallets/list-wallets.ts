import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { findPayTags } from '#modules/customers';
import { selectOfPartner } from './store.ts';
import { type PartnerWalletView, toView } from './view-wallet.ts';

/** A partner's wallets, newest first, the revoked ones too. `count` is of all of them. */
export async function listWallets(
  { db, keyring }: { db: Database; keyring: Keyring },
  { partnerId, ...page }: { partnerId: string; limit: number; offset: number },
): Promise<{ items: PartnerWalletView[]; count: number }> {
  const { items, count } = await selectOfPartner(db, partnerId, page);
  const holders = items.map(({ wallet }) => wallet.customerId).filter((id) => id !== null);
  const payTags = await findPayTags(db, keyring, holders);
  return { items: items.map((parts) => toView(parts, payTags.get(parts.wallet.customerId ?? ''))), count };
}
