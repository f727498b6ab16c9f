import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { revokeWalletAndSessions } from '#modules/sessions';
import { reasonBody } from './shapes/reason.ts';
import { toWallet, walletParams, walletShape } from './shapes/wallet.ts';

export function postWalletsRevoke(app: ZodApp, deps: DepsOf<typeof revokeWalletAndSessions>): void {
  app.post(
    '/wallets/:reference/revoke',
    {
      schema: {
        operationId: 'revokeWallet',
        summary: 'Revoke an empty wallet for good, and its customer’s tokens at that partner',
        params: walletParams,
        body: reasonBody,
        response: { 200: walletShape, ...failuresFor('WALLET_NOT_FOUND', 'WALLET_NOT_EMPTY', 'WALLET_REVOKED') },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, actor: request.actor };
      return toWallet(await revokeWalletAndSessions(deps, change));
    },
  );
}
