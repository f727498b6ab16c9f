import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import { toTransaction, transactionShape } from '#http/wallet-shapes.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { creditWallet } from '#modules/wallets';
import type { Resources } from '../../resources.ts';
import { movementBody, movementParams } from './movement.ts';

export function postWalletCredit(app: ZodApp, resources: Resources): void {
  app.post(
    '/wallet/:reference/credit',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Credit a wallet from the float',
        security: partnerOnly,
        params: movementParams,
        body: movementBody,
        response: { 200: transactionShape, ...failuresFor(400, 401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      const walletReference = request.params.reference;
      return toTransaction(await creditWallet(resources, { ...request.body, partnerId, walletReference }));
    },
  );
}
