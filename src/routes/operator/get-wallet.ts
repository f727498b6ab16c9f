import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { getOperatedWallet } from '#modules/wallets';
import type { Resources } from '../../resources.ts';
import { toWallet, walletParams, walletShape } from './wallet-shapes.ts';

export function getWallet(app: ZodApp, resources: Resources): void {
  app.get(
    '/wallets/:reference',
    {
      schema: {
        summary: 'A wallet with its rules and liens',
        params: walletParams,
        response: { 200: walletShape, ...failuresFor(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const wallet = await getOperatedWallet(resources, resources.db, request.params.reference);
      reply.header('cache-control', 'no-store');
      return toWallet(wallet);
    },
  );
}
