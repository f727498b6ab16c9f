import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rotateOperatorToken } from '#modules/operators';
import { operatorWithTokenShape, toOperatorWithToken } from './shapes/operator.ts';
import { idParams } from './shapes/params.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postOperatorsRotate(app: ZodApp, deps: DepsOf<typeof rotateOperatorToken>): void {
  app.post(
    '/operators/:id/rotate',
    {
      schema: {
        operationId: 'rotateOperatorToken',
        summary: 'Give an operator a new token, which is shown once; the old one is refused at once',
        params: idParams,
        body: optionalReasonBody,
        response: {
          200: operatorWithTokenShape,
          ...failuresFor('ROLE_REFUSED', 'OPERATOR_NOT_FOUND', 'OPERATOR_STATUS_CONFLICT'),
        },
      },
    },
    async (request) => {
      const rotation = { ...request.body, id: request.params.id, by: operatorOf(request) };
      return toOperatorWithToken(await rotateOperatorToken(deps, rotation));
    },
  );
}
