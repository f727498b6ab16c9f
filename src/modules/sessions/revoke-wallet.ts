import { getOperatedWallet, type OperatedWallet, revokeWallet } from '#modules/wallets';
import type { Resources } from '../../resources.ts';
import { endSessionsOf } from './end-sessions.ts';

/**
 * Revokes a wallet, and with it the tokens and codes of its customer at that partner.
 *
 * @throws DomainError WALLET_NOT_FOUND, WALLET_NOT_EMPTY
 */
export async function revokeWalletAndSessions(
  deps: Pick<Resources, 'db' | 'keyring' | 'config' | 'clock'>,
  request: { actor: string; reference: string; reason: string },
): Promise<OperatedWallet> {
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const { partnerId, customerId } = await revokeWallet(tx, request, now);
    if (customerId !== undefined) await endSessionsOf(tx, { partnerId, customerId }, now);
    return getOperatedWallet(deps, tx, request.reference);
  });
}
