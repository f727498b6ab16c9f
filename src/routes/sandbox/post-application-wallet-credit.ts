import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { creditApplication } from '#modules/sandbox';
import { amountIn, currencyCode } from '#wire/money.ts';
import { reference } from '#wire/text.ts';
import { camelCaseBalances, toCamelCaseBalances } from '#wire/wallet.ts';

const body = z.object({ amount: amountIn, currency: currencyCode.default('NGN'), reference });

export function postApplicationWalletCredit(app: ZodApp, deps: DepsOf<typeof creditApplication>): void {
  app.post(
    '/application/wallet/credit',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateSettlementCredit',
        summary: 'Credit your settlement wallet with test money',
        security: applicationOnly,
        body,
        response: {
          200: z.object({ currency: currencyCode, ...camelCaseBalances }).describe('The wallet as it is now'),
          ...failuresFor('REFERENCE_REUSED', 'BALANCE_EXCEEDED'),
        },
      },
    },
    async (request) => {
      const wallet = await creditApplication(deps, { ...request.body, applicationId: applicationOf(request).id });
      return { currency: wallet.currency, ...toCamelCaseBalances(wallet.amounts) };
    },
  );
}
