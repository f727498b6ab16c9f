import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { findCustomerByBvn, readBvn, tellCustomer } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { getPartnerWallet, openCustomerWallet, type PartnerWalletView } from '#modules/wallets';
import { type BvnLimits, bvnThrottle } from './verify-bvn.ts';

/**
 * Links the PayTag that has this BVN to a partner: the customer's wallet there, opened the first time, when
 * the customer is told, the same one ever after. A closed PayTag is nobody's, and neither is one
 * whose customer is frozen.
 *
 * @throws DomainError INVALID_PARAMETER, PAYTAG_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function linkPayTagByBvn(
  deps: {
    db: Database;
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    nubanInstitutionCode: string;
    throttles: Throttles;
    limits: BvnLimits;
  },
  { partnerId, bvn }: { partnerId: string; bvn: string },
): Promise<PartnerWalletView> {
  const { db, keyring } = deps;
  const throttle = bvnThrottle(deps, partnerId);
  const digits = readBvn(bvn);
  await throttle.begin();
  const customer = await findCustomerByBvn(db, keyring, digits);
  if (customer === undefined || customer.isClosed || customer.isFrozen) {
    await throttle.takeUnknown();
    throw new DomainError('PAYTAG_NOT_FOUND', 'no PayTag has this BVN');
  }
  await throttle.assertOpen();
  return deps.transact(async (tx) => {
    const pair = { partnerId, customerId: customer.id };
    const { reference, isNew } = await openCustomerWallet(tx, deps, pair);
    if (isNew) await tellCustomer(tx, deps, { ...pair, kind: 'LINKED', now: deps.clock.now() });
    return getPartnerWallet(tx, keyring, { partnerId, reference });
  });
}
