import { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeOperatorRole } from '#modules/operators';
import { reason } from '#wire/text.ts';
import { operatorRole, operatorShape, toOperator } from './shapes/operator.ts';
import { idParams } from './shapes/params.ts';

export function patchOperators(app: ZodApp, deps: DepsOf<typeof changeOperatorRole>): void {
  app.patch(
    '/operators/:id',
    {
      schema: {
        operationId: 'changeOperator',
        summary: 'Give another operator another role, from their next call on',
        params: idParams,
        body: z.object({ role: operatorRole, reason }),
        response: { 200: operatorShape, ...failuresFor('OPERATOR_NOT_FOUND', 'OPERATOR_STATUS_CONFLICT') },
      },
    },
    async (request) =>
      toOperator(await changeOperatorRole(deps, { ...request.body, id: request.params.id, by: operatorOf(request) })),
  );
}
