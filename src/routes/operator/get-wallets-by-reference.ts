import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getWalletForOperator } from '#modules/wallets';
import { toWallet, walletParams, walletShape } from './shapes/wallet.ts';

export function getWalletsByReference(app: ZodApp, deps: DepsOf<typeof getWalletForOperator> & { db: Database }): void {
  app.get(
    '/wallets/:reference',
    {
      schema: {
        operationId: 'getWallet',
        summary: 'A wallet with its rules and liens',
        params: walletParams,
        response: { 200: walletShape, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const wallet = await getWalletForOperator(deps, deps.db, request.params.reference);
      reply.header('cache-control', 'no-store');
      return toWallet(wallet);
    },
  );
}
