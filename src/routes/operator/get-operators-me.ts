import { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { momentOut } from '#wire/moment.ts';
import { operatorRole } from './shapes/operator.ts';

const me = z.object({
  id: z.string().meta({ description: 'root for the holder of OPERATOR_TOKEN' }),
  name: z.string().meta({ example: 'Ngozi Eze' }),
  role: operatorRole,
  tokenExpiresAt: momentOut
    .optional()
    .meta({ description: 'Until then your token is good; root’s has no end of its own' }),
});

export function getOperatorsMe(app: ZodApp): void {
  app.get(
    '/operators/me',
    {
      schema: {
        operationId: 'getOwnOperator',
        summary: 'Who you are, your role, and until when your token is good',
        response: { 200: me },
      },
    },
    async (request) => {
      const { id, name, role, tokenExpiresAt } = operatorOf(request);
      return { id, name, role, tokenExpiresAt: tokenExpiresAt?.toISOString() };
    },
  );
}
