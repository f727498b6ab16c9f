import type { DepsOf } from '#lib/deps-of.ts';
import { getSettlementWallet, type SettlementWallet } from '#modules/clients';
import type { Currency, Minor } from '#modules/ledger';
import { fundApplication } from '#modules/treasury';
import { actorOf } from './move-test-money.ts';

/**
 * Credits an application's settlement wallet with test money that comes from nowhere. Repeated, nothing moves again.
 *
 * @returns the wallet as it is now
 * @throws DomainError REFERENCE_REUSED, BALANCE_EXCEEDED
 */
export async function creditApplication(
  deps: DepsOf<typeof fundApplication>,
  { applicationId, ...movement }: { applicationId: string; amount: Minor; currency: Currency; reference: string },
): Promise<SettlementWallet> {
  await fundApplication(deps, {
    ...movement,
    applicationId,
    actor: actorOf(applicationId),
    reference: `sandbox-${movement.reference}`,
    reason: 'test money',
  });
  return getSettlementWallet(deps.db, deps.keyring, applicationId, movement.currency);
}
