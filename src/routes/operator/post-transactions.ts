import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { reportPayment } from '#modules/payments';
import { metadata } from '#wire/metadata.ts';
import { amountIn } from '#wire/money.ts';
import { optional, optionalReason, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';

const sender = z.object({ name: text(200), paytag: optional(text(40)), type: optional(text(40)) });

const report = z.object({
  amount: amountIn,
  reference,
  sender,
  comment: optional(text(500)),
  metadata: optional(metadata),
  reason: optionalReason,
});

const body = z.discriminatedUnion(
  'type',
  [
    report.extend({
      type: z.literal('PARTNER_GATEWAY'),
      partnerId: z.uuid(),
      walletReference: optional(text(100)),
    }),
    report.extend({
      type: z.literal('PARTNER_TERMINAL'),
      terminal: text(100),
      split: optional(text(100)),
      // A card may not say whose it is.
      sender: sender.partial().default({}),
    }),
    report.extend({ type: z.literal('INBOUND'), nuban: text(10).regex(/^\d{10}$/, 'must be 10 digits') }),
  ],
  { error: 'must be PARTNER_GATEWAY, PARTNER_TERMINAL or INBOUND' },
);

const params = z.unknown(); // none

export function postTransactions(app: ZodApp, deps: DepsOf<typeof reportPayment> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /transactions',
    params,
    body,
    waits: ({ body: reported }) => reported.amount,
    repeatable: true,
    run: async ({ body: reported, actor }) => toTransaction(await reportPayment(deps, { ...reported, actor })),
  });
  app.post(
    '/transactions',
    {
      schema: {
        operationId: 'reportPayment',
        summary: 'Report a payment as the rails did: at a gateway, at a terminal, or to an account number',
        body,
        response: {
          200: transactionShape,
          202: approvalShape,
          ...failuresFor(
            'PARTNER_NOT_FOUND',
            'SPLIT_NOT_FOUND',
            'TERMINAL_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'REFERENCE_REUSED',
          ),
        },
      },
    },
    handle,
  );
}
