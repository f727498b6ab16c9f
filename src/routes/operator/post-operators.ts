import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createOperator } from '#modules/operators';
import { optionalReason, text } from '#wire/text.ts';
import { operatorRole, operatorWithTokenShape, toOperatorWithToken } from './shapes/operator.ts';

/** Names stand in audit entries beside other words, which none may imitate: so no colons and no commas. */
const name = text(100)
  .regex(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .'’@_-]*$/u, "must be letters, digits, blanks and . ' ’ @ _ - only")
  .meta({ example: 'Ngozi Eze' });

export function postOperators(app: ZodApp, deps: DepsOf<typeof createOperator>): void {
  app.post(
    '/operators',
    {
      schema: {
        operationId: 'createOperator',
        summary: 'Make an operator; the token is shown once',
        body: z.object({ name, role: operatorRole, reason: optionalReason }),
        response: { 201: operatorWithTokenShape, ...failuresFor('OPERATOR_NAME_TAKEN') },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return toOperatorWithToken(await createOperator(deps, { ...request.body, actor: request.actor }));
    },
  );
}
