import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { enableOperator } from '#modules/operators';
import { operatorWithTokenShape, toOperatorWithToken } from './shapes/operator.ts';
import { idParams } from './shapes/params.ts';
import { statusAction } from './status-action.ts';

export function postOperatorsEnable(app: ZodApp, deps: DepsOf<typeof enableOperator>): void {
  app.post(
    '/operators/:id/enable',
    {
      schema: {
        operationId: 'enableOperator',
        summary: 'Let a disabled operator in again, with a new token, which is shown once',
        ...statusAction(idParams, operatorWithTokenShape, 'OPERATOR_NOT_FOUND', 'OPERATOR_STATUS_CONFLICT'),
      },
    },
    async (request) => {
      const change = { ...request.body, id: request.params.id, by: operatorOf(request) };
      return toOperatorWithToken(await enableOperator(deps, change));
    },
  );
}
