import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getWalletForOperator } from '#modules/wallets';
import { toWallet, walletParams, walletShape } from './shapes/wallet.ts';

export function getWalletsByReference(
  app: ZodApp,
  { readLong, ...deps }: DepsOf<typeof getWalletForOperator> & { readLong: ReadLong },
): void {
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
    async ({ actor, params }, reply) => {
      const wallet = await readLong(actor, async (db) => getWalletForOperator(deps, db, params.reference));
      reply.header('cache-control', 'no-store');
      return toWallet(wallet);
    },
  );
}
