import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rejectRequest } from '#modules/approvals';
import { approvalShape, toApproval } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { reasonBody } from './shapes/reason.ts';

export function postApprovalsReject(app: ZodApp, deps: DepsOf<typeof rejectRequest>): void {
  app.post(
    '/approvals/:id/reject',
    {
      schema: {
        operationId: 'rejectRequest',
        summary: 'Reject what another operator asked for, or take back what you asked for',
        params: idParams,
        body: reasonBody,
        response: {
          200: approvalShape,
          ...failuresFor('APPROVAL_NOT_FOUND', 'APPROVAL_NOT_PENDING', 'APPROVAL_EXPIRED'),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const decision = { ...request.body, id, by: operatorOf(request), operations: app.waitingOperations };
      return toApproval(await rejectRequest(deps, decision));
    },
  );
}
