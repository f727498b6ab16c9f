import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { settleFloat } from '#modules/wallets';
import { amountIn, amountOut, toMajor } from '#wire/money.ts';
import { reference } from '#wire/text.ts';
import { optionalReason } from './wallet-shapes.ts';

const currency = z.enum(['NGN', 'FP']);

export function postPartnersSettlement(app: ZodApp, deps: DepsOf<typeof settleFloat>): void {
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
      return { currency: settlement.currency, balance: toMajor(await settleFloat(deps, settlement)) };
    },
  );
}
