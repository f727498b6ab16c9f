import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fundApplication } from '#modules/applications';
import { amountIn, amountOut, toMajor } from '#wire/money.ts';
import { reference } from '#wire/text.ts';
import { optionalReason } from './wallet-shapes.ts';

const currency = z.enum(['NGN', 'FP']);

export function postApplicationsFund(app: ZodApp, deps: DepsOf<typeof fundApplication>): void {
  app.post(
    '/applications/:id/fund',
    {
      schema: {
        summary: 'Fund an application’s settlement wallet',
        params: z.object({ id: z.uuid() }),
        body: z.object({ amount: amountIn, currency: currency.default('NGN'), reference, reason: optionalReason }),
        response: { 200: z.object({ currency, balance: amountOut }), ...failuresFor(400, 401, 404, 409, 422) },
      },
    },
    async (request) => {
      const funding = { ...request.body, applicationId: request.params.id, actor: request.credential };
      return { currency: funding.currency, balance: toMajor(await fundApplication(deps, funding)) };
    },
  );
}
