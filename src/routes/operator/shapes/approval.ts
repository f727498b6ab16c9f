import { z } from 'zod';
import { statesOf } from '#lib/state-machine.ts';
import { type Approval, approvalTransitions } from '#modules/operators';
import { momentOut } from '#wire/moment.ts';
import { amountOut, toMajorIfAny } from '#wire/money.ts';
import { personal } from '#wire/personal.ts';

export const approvalStatus = z.enum(statesOf(approvalTransitions));

const named = z.object({
  id: z.string().meta({ description: 'root for the holder of OPERATOR_TOKEN' }),
  name: z.string(),
});

/** A request for another operator's approval. */
export const approvalShape = z
  .object({
    id: z.uuid(),
    operation: z.string().meta({ example: 'POST /partners/:id/float' }),
    status: approvalStatus,
    amount: amountOut.optional(),
    requestedBy: named,
    createdAt: momentOut,
    expiresAt: momentOut,
    decidedBy: named.optional(),
    decidedAt: momentOut.optional(),
    reason: personal(z.string(), 'prose').optional().meta({ description: 'Why it was rejected, or failed' }),
    errorCode: z.string().optional().meta({ description: 'Of the operation, which failed' }),
    endedAt: momentOut.optional(),
  })
  .meta({ id: 'Approval' });

/** The same, with what is asked for and what came of it. */
export const wholeApprovalShape = approvalShape.extend({
  request: z
    .object({ params: z.record(z.string(), z.string()), body: z.unknown() })
    .optional()
    .meta({ description: 'Shown to whose role may do the operation, until 30 days after its end' }),
  answer: z
    .unknown()
    .optional()
    .meta({ description: 'What the operation answered; shown to whoever asked or approved, as long' }),
});

/** A request, without what is asked for. */
export const toApproval = (approval: Approval): z.input<typeof approvalShape> => ({
  id: approval.id,
  operation: approval.operation,
  status: approval.status,
  amount: toMajorIfAny(approval.amount),
  requestedBy: approval.requestedBy,
  createdAt: approval.createdAt.toISOString(),
  expiresAt: approval.expiresAt.toISOString(),
  decidedBy: approval.decidedBy,
  decidedAt: approval.decidedAt?.toISOString(),
  reason: approval.reason,
  errorCode: approval.errorCode,
  endedAt: approval.endedAt?.toISOString(),
});
