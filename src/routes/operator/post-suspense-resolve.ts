import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { amountInSuspense, resolveSuspense } from '#modules/treasury';
import { reason, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';

const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be the id of a transaction')
  .transform(Number);

const body = z.discriminatedUnion(
  'to',
  [
    z.object({
      to: z.literal('wallet'),
      walletReference: text(100).meta({ description: 'A wallet of the same partner' }),
      reason,
    }),
    z.object({ to: z.literal('float'), reason }),
    z.object({ to: z.literal('return'), reference, reason }),
  ],
  { error: 'must be wallet, float or return' },
);

const params = z.object({ id });

export function postSuspenseResolve(app: ZodApp, deps: DepsOf<typeof resolveSuspense> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /suspense/:id/resolve',
    params,
    body,
    waits: ({ params: { id: waiting } }) => amountInSuspense(deps, waiting),
    repeatable: true,
    run: async ({ params: { id: waiting }, body: resolution, actor }) =>
      toTransaction(await resolveSuspense(deps, { ...resolution, id: waiting, actor })),
  });
  app.post(
    '/suspense/:id/resolve',
    {
      schema: {
        operationId: 'resolveSuspense',
        summary: 'Credit what waits to a wallet or the float of its own partner, or return it',
        params,
        body,
        response: {
          200: transactionShape,
          202: approvalShape,
          ...failuresFor(
            'PARTNER_NOT_FOUND',
            'TRANSACTION_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'TRANSACTION_NOT_PENDING',
            'WALLET_REVOKED',
            'BALANCE_EXCEEDED',
            'CURRENCY_MISMATCH',
            'WALLET_BLOCKED',
            'WALLET_PNC',
          ),
        },
      },
    },
    handle,
  );
}
