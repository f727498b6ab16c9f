import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { remit, remittable } from '#modules/treasury';
import { amountIn, amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { reason, reference } from '#wire/text.ts';

const account = z.enum(remittable).meta({
  description:
    'FEE, COMMISSION and STAMP_DUTY: what our bank has paid out. A rail’s clearing: what it has paid to our bank',
});

const body = z.object({ account, amount: amountIn, currency: currencyCode.default('NGN'), reference, reason });

const remittanceShape = z.object({ account, amount: amountOut, currency: currencyCode, reference: z.string() });

export function postRemittances(app: ZodApp, deps: DepsOf<typeof remit>): void {
  app.post(
    '/remittances',
    {
      schema: {
        summary:
          'Settle one of our own accounts with the bank: what was paid out of fees, commission or duty, or what a rail paid in',
        body,
        response: { 200: remittanceShape, ...failuresFor(400, 401, 409, 422) },
      },
    },
    async (request) => {
      const { reason: _, ...remittance } = request.body;
      await remit(deps, { ...request.body, actor: request.actor });
      return { ...remittance, amount: toMajor(remittance.amount) };
    },
  );
}
