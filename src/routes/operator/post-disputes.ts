import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { openDispute } from '#modules/disputes';
import { deadlineIn } from '#wire/moment.ts';
import { amountIn } from '#wire/money.ts';
import { optional, reason, reference } from '#wire/text.ts';
import { disputeShape, saidBody, toDispute } from './shapes/dispute.ts';

const body = z.object({
  partnerId: z.uuid().meta({ description: 'Whose the transaction is: it named it, or a wallet of its was moved' }),
  transactionReference: reference,
  amount: optional(amountIn).meta({ description: 'Without it all that is left of the transaction' }),
  reason: reason.meta({ description: 'The partner of the wallet sees it' }),
  evidence: z.array(saidBody).max(20).default([]),
  respondBy: deadlineIn.meta({ description: 'Until then the partner of the wallet can answer; a year ahead at most' }),
});

export function postDisputes(app: ZodApp, deps: DepsOf<typeof openDispute>): void {
  app.post(
    '/disputes',
    {
      schema: {
        operationId: 'openDispute',
        summary: 'Dispute a transaction: its amount is kept in the wallet that received it',
        body,
        response: {
          201: disputeShape,
          ...failuresFor(
            'TRANSACTION_NOT_FOUND',
            'TRANSACTION_NOT_DISPUTABLE',
            'REFUND_EXCEEDS',
            'DISPUTE_OPEN',
            'WALLET_REVOKED',
          ),
        },
      },
    },
    async (request, reply) => {
      const opened = await openDispute(deps, { ...request.body, actor: request.actor });
      reply.code(201);
      return toDispute(opened);
    },
  );
}
