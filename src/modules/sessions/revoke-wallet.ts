import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { type DailyLimits, getWalletForOperator, type OperatorWalletView, revokeWallet } from '#modules/wallets';
import { endSessionsOf } from './end-store.ts';

/**
 * Revokes a wallet, and with it the tokens and codes of its customer at that partner.
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_NOT_EMPTY
 */
export async function revokeWalletAndSessions(
  deps: {
    transact: Transact;
    keyring: Keyring;
    dailyLimits: DailyLimits;
    clock: Clock;
    afterSettling: Parameters<typeof revokeWallet>[0]['afterSettling'];
  },
  request: { actor: string; reference: string; reason: string },
): Promise<OperatorWalletView> {
  return deps.transact(async (tx) => {
    const now = deps.clock.now();
    const { partnerId, customerId } = await revokeWallet(deps, tx, request, now);
    if (customerId !== undefined) await endSessionsOf(tx, { partnerId, customerId }, now);
    return getWalletForOperator(deps, tx, request.reference);
  });
}
