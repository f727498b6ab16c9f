import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { remit, remittable } from '#modules/treasury';
import { amountIn, amountOut, currencyCode, toMajor } from '#wire/money.ts';
import { reason, reference } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';

const account = z.enum(remittable).meta({
  description:
    'FEE, COMMISSION, STAMP_DUTY: what our bank has paid out; CLEARING_PAYOUT: what it has paid to the provider of payouts. Any other rail’s clearing: what it has paid to our bank',
});

const body = z.object({ account, amount: amountIn, currency: currencyCode.default('NGN'), reference, reason });

const remittanceShape = z.object({ account, amount: amountOut, currency: currencyCode, reference: z.string() });

const params = z.unknown(); // none

export function postRemittances(app: ZodApp, deps: DepsOf<typeof remit> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /remittances',
    params,
    body,
    waits: ({ body: remittance }) => remittance.amount,
    repeatable: true,
    run: async ({ body: { reason: why, ...remittance }, actor }) => {
      await remit(deps, { ...remittance, reason: why, actor });
      return { ...remittance, amount: toMajor(remittance.amount) };
    },
  });
  app.post(
    '/remittances',
    {
      schema: {
        operationId: 'createRemittance',
        summary:
          'Settle one of our own accounts with the bank: what was paid out of fees, commission or duty, or what a rail paid in',
        body,
        response: {
          200: remittanceShape,
          202: approvalShape,
          ...failuresFor('REFERENCE_REUSED', 'BALANCE_EXCEEDED', 'INSUFFICIENT_FUNDS'),
        },
      },
    },
    handle,
  );
}
