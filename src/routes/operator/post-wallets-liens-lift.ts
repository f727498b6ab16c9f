import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { liftWalletLien } from '#modules/wallets';
import { reasonBody } from './shapes/reason.ts';
import { lienShape, toLien, walletParams } from './shapes/wallet.ts';

const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the id of a lien')
  .transform(Number);

export function postWalletsLiensLift(app: ZodApp, deps: DepsOf<typeof liftWalletLien>): void {
  app.post(
    '/wallets/:reference/liens/:id/lift',
    {
      schema: {
        operationId: 'liftLien',
        summary: 'Let the amount of a lien be spent again',
        params: walletParams.extend({ id }),
        body: reasonBody,
        response: {
          200: lienShape,
          ...failuresFor('LIEN_NOT_FOUND', 'WALLET_NOT_FOUND', 'LIEN_LIFTED', 'LIEN_OF_DISPUTE'),
        },
      },
    },
    async (request) => {
      const { reference: walletReference, id: lien } = request.params;
      const change = { ...request.body, walletReference, lien, actor: request.actor };
      return toLien(await liftWalletLien(deps, change));
    },
  );
}
