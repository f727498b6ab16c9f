import { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { operatorRole } from './shapes/operator.ts';

const me = z.object({
  id: z.string().meta({ description: 'root for the holder of OPERATOR_TOKEN' }),
  name: z.string().meta({ example: 'Ngozi Eze' }),
  role: operatorRole,
});

export function getOperatorsMe(app: ZodApp): void {
  app.get(
    '/operators/me',
    {
      schema: {
        operationId: 'getOwnOperator',
        summary: 'Who you are, and your role',
        response: { 200: me },
      },
    },
    async (request) => {
      const { id, name, role } = operatorOf(request);
      return { id, name, role };
    },
  );
}
