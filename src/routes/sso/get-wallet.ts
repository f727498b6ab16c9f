import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getCustomerWallet } from '#modules/wallets';
import { amountOut } from '#wire/money.ts';
import { toWallet, walletExample, walletShape } from '#wire/wallet.ts';

const customerWalletShape = walletShape
  .extend({ Balance: amountOut })
  .meta({ id: 'CustomerWallet', example: { ...walletExample, Balance: walletExample.AvailableAmount } });

export function getWallet(app: ZodApp, deps: DepsOf<typeof getCustomerWallet>): void {
  app.get(
    '/wallet',
    {
      schema: {
        tags: ['Customer wallet'],
        operationId: 'getCustomerWallet',
        summary: "The customer's wallet at this partner",
        security: partnerAndCustomer,
        response: { 200: customerWalletShape, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request) => {
      const { customerId } = request;
      const wallet = toWallet(await getCustomerWallet(deps, { partnerId: partnerOf(request).id, customerId }));
      return { ...wallet, Balance: wallet.AvailableAmount };
    },
  );
}
