import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { disableOperator } from '#modules/operators';
import { operatorShape, toOperator } from './shapes/operator.ts';
import { idParams } from './shapes/params.ts';
import { statusAction } from './status-action.ts';

export function postOperatorsDisable(app: ZodApp, deps: DepsOf<typeof disableOperator>): void {
  app.post(
    '/operators/:id/disable',
    {
      schema: {
        operationId: 'disableOperator',
        summary: 'Refuse another operator from their next call on, and their token for good',
        ...statusAction(idParams, operatorShape, 'OPERATOR_NOT_FOUND', 'OPERATOR_STATUS_CONFLICT'),
      },
    },
    async (request) =>
      toOperator(await disableOperator(deps, { ...request.body, id: request.params.id, by: operatorOf(request) })),
  );
}
