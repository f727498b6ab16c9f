import type { Keyring } from '#lib/crypto/keyring.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { asMinor, chargeOn } from '#modules/ledger';
import { fundFloat } from '#modules/treasury';
import { creditWallet, getPartnerWallet, type WalletTransaction } from '#modules/wallets';

type Deps = DepsOf<typeof creditWallet> & DepsOf<typeof fundFloat> & { keyring: Keyring };

/** Who acts, in the audit log. */
export const actorOf = (ownerId: string): string => `sandbox:${ownerId}`;

/**
 * Credits a wallet with test money that comes from nowhere: what the credit takes is put into the partner's float first.
 * Repeated, nothing moves again.
 *
 * @throws DomainError as `fundFloat` and `creditWallet` do
 */
export async function creditWithTestMoney(
  deps: Deps,
  movement: Parameters<typeof creditWallet>[1],
): Promise<WalletTransaction> {
  const { partnerId, walletReference, amount, reference } = movement;
  const { wallet, revokedAt } = await getPartnerWallet(deps.db, deps.keyring, {
    partnerId,
    reference: walletReference,
  });
  if (revokedAt !== null) return creditWallet(deps, movement); // refused, or answered as before
  await fundFloat(deps, {
    actor: actorOf(partnerId),
    partnerId,
    amount: asMinor(amount + chargeOn(amount, deps.fees.walletCredit)),
    currency: wallet.currency,
    reference: `sandbox-${reference}`,
    reason: 'test money',
  });
  return creditWallet(deps, movement);
}
