import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { placeWalletLien } from '#modules/wallets';
import { amountIn } from '#wire/money.ts';
import { reason } from '#wire/text.ts';
import { lienShape, toLien, walletParams } from './shapes/wallet.ts';

export function postWalletsLiens(app: ZodApp, deps: DepsOf<typeof placeWalletLien>): void {
  app.post(
    '/wallets/:reference/liens',
    {
      schema: {
        operationId: 'createLien',
        summary: 'Keep an amount of a wallet from being spent',
        params: walletParams,
        body: z.object({ amount: amountIn, reason }),
        response: { 201: lienShape, ...failuresFor('WALLET_NOT_FOUND', 'WALLET_REVOKED') },
      },
    },
    async (request, reply) => {
      const walletReference = request.params.reference;
      const lien = await placeWalletLien(deps, { ...request.body, walletReference, actor: request.actor });
      reply.code(201);
      return toLien(lien);
    },
  );
}
