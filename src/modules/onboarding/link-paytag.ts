import { DomainError } from '#lib/domain-error.ts';
import { findCustomerByBvn, readBvn } from '#modules/customers';
import { openCustomerWallet, type PartnerWalletView, viewWallet } from '#modules/wallets';
import type { Resources } from '../../resources.ts';
import { bvnThrottle } from './bvn-throttle.ts';

/**
 * Links the PayTag that has this BVN to a partner: the customer's wallet there, opened the first time, the same ever after. A
 * closed PayTag is linked to nobody.
 *
 * @throws DomainError INVALID_PARAMETER, PAYTAG_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function linkPayTagByBvn(
  deps: Pick<Resources, 'db' | 'keyring' | 'config' | 'throttles'>,
  { partnerId, bvn }: { partnerId: string; bvn: string },
): Promise<PartnerWalletView> {
  const { db, keyring, config } = deps;
  const throttle = bvnThrottle(deps, partnerId);
  const digits = readBvn(bvn);
  await throttle.assertOpen();
  const customer = await findCustomerByBvn(db, keyring, digits);
  if (customer === undefined || customer.isClosed) {
    await throttle.takeUnknown();
    throw new DomainError('PAYTAG_NOT_FOUND', 'no PayTag has this BVN');
  }
  await throttle.assertOpen();
  return db.transaction(async (tx) => {
    const reference = await openCustomerWallet(tx, config, { partnerId, customerId: customer.id });
    return viewWallet(tx, keyring, { partnerId, reference });
  });
}
