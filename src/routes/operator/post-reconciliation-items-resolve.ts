import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { postable, resolveItem } from '#modules/reconciliation';
import { optional, reason, shownName, text } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { itemShape, toItem } from './shapes/reconciliation.ts';

const body = z.discriminatedUnion(
  'action',
  [
    z.object({
      action: z.literal('MATCH'),
      transactionId: z.int().min(1).meta({ description: 'Our posting on the clearing account of the rail' }),
      reason,
    }),
    z.object({ action: z.literal('TIMING'), reason }),
    z.object({ action: z.literal('DISTINCT'), reason }),
    z.object({
      action: z.literal('BOOK'),
      nuban: text(10).meta({ description: 'Of the wallet that it came in for' }),
      senderName: optional(shownName(100)),
      reason,
    }),
    z.object({
      action: z.literal('POST'),
      account: z
        .enum(postable)
        .meta({ description: 'DIFFERENCE: what nobody has explained; FEE: what a bank charged' }),
      reason,
    }),
  ],
  { error: 'must be MATCH, TIMING, DISTINCT, BOOK or POST' },
);

export function postReconciliationItemsResolve(app: ZodApp, deps: DepsOf<typeof resolveItem> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /reconciliation/items/:id/resolve',
    params: idParams,
    body,
    waits: 'as judged',
    repeatable: true,
    run: async ({ params, body: resolution, actor, judge }) =>
      toItem(await resolveItem(deps, { ...resolution, id: params.id, actor, judge })),
  });
  app.post(
    '/reconciliation/items/:id/resolve',
    {
      schema: {
        operationId: 'resolveReconciliationItem',
        summary:
          'Match what is open by hand, wait for its other side, book it, post the difference, or say that a repeated line is another one',
        params: idParams,
        body,
        response: {
          200: itemShape,
          202: approvalShape,
          ...failuresFor(
            'RECONCILIATION_ITEM_NOT_FOUND',
            'TRANSACTION_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'RECONCILIATION_ITEM_STATE_CONFLICT',
            'REFERENCE_REUSED',
          ),
        },
      },
    },
    handle,
  );
}
