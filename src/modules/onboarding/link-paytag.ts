import { findCustomerByBvn, readBvn } from '#modules/customers';
import { openCustomerWallet, type PartnerWalletView, viewWallet } from '#modules/wallets';
import { DomainError } from '../../lib/domain-error.ts';
import type { Resources } from '../../resources.ts';

/**
 * Links the PayTag that has this BVN to a partner: the customer's wallet there, opened the first time, the same ever after.
 *
 * @throws DomainError INVALID_PARAMETER, PAYTAG_NOT_FOUND
 */
export async function linkPayTagByBvn(
  { db, keyring, config }: Pick<Resources, 'db' | 'keyring' | 'config'>,
  { partnerId, bvn }: { partnerId: string; bvn: string },
): Promise<PartnerWalletView> {
  const customer = await findCustomerByBvn(db, keyring, readBvn(bvn));
  if (customer === undefined) throw new DomainError('PAYTAG_NOT_FOUND', 'no PayTag has this BVN');
  return db.transaction(async (tx) => {
    const reference = await openCustomerWallet(tx, config, { partnerId, customerId: customer.id });
    return viewWallet(tx, keyring, { partnerId, reference });
  });
}
