import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { getSettlementWallet, type SettlementWallet } from '#modules/clients';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { momentOut } from '#wire/moment.ts';
import { amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { camelCaseBalances, toCamelCaseBalances, walletStatus } from '#wire/wallet.ts';

const settlementWalletShape = z
  .object({
    id: z.int(),
    currency: currencyCode,
    ...camelCaseBalances,
    suspendedAmount: amountOut.meta({ description: 'Held for transactions that wait for acceptance' }),
    amount: amountOut,
    status: walletStatus,
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: 'SettlementWallet' });

const toSettlementWallet = (wallet: SettlementWallet): z.input<typeof settlementWalletShape> => ({
  id: wallet.id,
  currency: wallet.currency,
  ...toCamelCaseBalances(wallet.amounts),
  amount: toMajor(wallet.amounts.total),
  status: wallet.status,
  createdAt: wallet.createdAt.toISOString(),
  updatedAt: wallet.updatedAt.toISOString(),
});

export function getWallet(app: ZodApp, { db, keyring, clock }: { db: Database; keyring: Keyring; clock: Clock }): void {
  app.get(
    '/wallet',
    {
      schema: {
        tags: ['Transactions'],
        operationId: 'getSettlementWallet',
        summary: 'The settlement wallet of the calling application',
        security: applicationOnly,
        querystring: z.object({ currency: currencyCode.default('NGN') }),
        response: { 200: envelopeOf(settlementWalletShape) },
      },
    },
    async (request) => {
      const wallet = await getSettlementWallet(db, keyring, applicationOf(request).id, request.query.currency);
      return enveloped(clock, 'settlement wallet', toSettlementWallet(wallet));
    },
  );
}
