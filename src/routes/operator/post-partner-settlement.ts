import { z } from 'zod';
import { amountIn, amountOut, toMajor } from '#http/amount.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import { reference } from '#http/text.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { settleFloat } from '#modules/wallets';
import type { Resources } from '../../resources.ts';
import { optionalReason } from './wallet-shapes.ts';

const currency = z.enum(['NGN', 'FP']);

export function postPartnerSettlement(app: ZodApp, resources: Resources): void {
  app.post(
    '/partners/:id/settlement',
    {
      schema: {
        summary: 'Take from a partner’s float what was paid out to it',
        params: z.object({ id: z.uuid() }),
        body: z.object({ amount: amountIn, currency: currency.default('NGN'), reference, reason: optionalReason }),
        response: { 200: z.object({ currency, balance: amountOut }), ...failuresFor(400, 401, 404, 409, 422) },
      },
    },
    async (request) => {
      const settlement = { ...request.body, partnerId: request.params.id, actor: request.credential };
      return { currency: settlement.currency, balance: toMajor(await settleFloat(resources, settlement)) };
    },
  );
}
