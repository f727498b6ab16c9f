import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { approveRequest } from '#modules/approvals';
import { toApproval, wholeApprovalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postApprovalsApprove(app: ZodApp, deps: DepsOf<typeof approveRequest>): void {
  app.post(
    '/approvals/:id/approve',
    {
      schema: {
        operationId: 'approveRequest',
        summary: 'Approve what another operator asked for, and do it; a refusal is that of the operation',
        params: idParams,
        body: optionalReasonBody,
        response: { 200: wholeApprovalShape, ...failuresFor(400, 401, 403, 404, 409, 410, 422) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const decision = { ...request.body, id, by: operatorOf(request), operations: app.waitingOperations };
      const { answer, ...approval } = await approveRequest(deps, decision);
      return { ...toApproval(approval), answer };
    },
  );
}
