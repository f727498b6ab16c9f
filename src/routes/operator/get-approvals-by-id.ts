import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { readApproval } from '#modules/approvals';
import { toApproval, wholeApprovalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';

export function getApprovalsById(app: ZodApp, deps: DepsOf<typeof readApproval>): void {
  app.get(
    '/approvals/:id',
    {
      schema: {
        operationId: 'getApproval',
        summary: 'A request for approval, with what is asked for',
        params: idParams,
        response: { 200: wholeApprovalShape, ...failuresFor('APPROVAL_NOT_FOUND') },
      },
    },
    async (request) => {
      const asked = { id: request.params.id, by: operatorOf(request), operations: app.waitingOperations };
      const { input, answer, ...approval } = await readApproval(deps, asked);
      const body: unknown = input === undefined || input.body === '' ? undefined : JSON.parse(input.body);
      return {
        ...toApproval(approval),
        ...(input === undefined ? {} : { request: { params: { ...input.params }, body } }),
        ...(answer === undefined ? {} : { answer }),
      };
    },
  );
}
