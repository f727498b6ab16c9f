import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getDailyLimit } from '#modules/wallets';
import { amountOut, toMajor } from '#wire/money.ts';

const dailyLimitShape = z
  .object({ Limit: amountOut, Spent: amountOut, Remaining: amountOut })
  .meta({ id: 'DailyLimit', example: { Limit: 300_000, Spent: 50_000, Remaining: 250_000 } });

export function getWalletLimit(app: ZodApp, deps: DepsOf<typeof getDailyLimit>): void {
  app.get(
    '/wallet/limit',
    {
      schema: {
        tags: ['Customer wallet'],
        operationId: 'getDailyLimit',
        summary: 'What the customer may spend today, in Lagos, and what is left of it',
        security: partnerAndCustomer,
        response: { 200: dailyLimitShape, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { customerId } = request;
      const daily = await getDailyLimit(deps, { partnerId: partnerOf(request).id, customerId });
      reply.header('cache-control', 'no-store');
      return { Limit: toMajor(daily.limit), Spent: toMajor(daily.spent), Remaining: toMajor(daily.remaining) };
    },
  );
}
