import { z } from 'zod';
import { type Operator, operatorStatuses, roles } from '#modules/operators';
import { momentOut } from '#wire/moment.ts';

export const operatorRole = z.enum(roles);
export const operatorStatus = z.enum(operatorStatuses);

export const operatorShape = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: 'Ngozi Eze' }),
  role: operatorRole,
  status: operatorStatus,
  expiresAt: momentOut.meta({ description: 'When the token expires' }),
  lastUsedAt: momentOut.optional().meta({ description: 'When the token was last used, to the minute' }),
  createdAt: momentOut,
  updatedAt: momentOut,
});

/** The same, with the token, which is never shown again. */
export const operatorWithTokenShape = operatorShape.extend({
  token: z
    .string()
    .meta({ example: 'op_sandbox_pI2q0sT7xw8m4cUj3yZ5vB6nR9kD1eGhLfAoWtXuYiQ', description: 'Shown once' }),
});

/** An operator, without the token. */
export const toOperator = (operator: Operator): z.input<typeof operatorShape> => ({
  id: operator.id,
  name: operator.name,
  role: operator.role,
  status: operator.status,
  expiresAt: operator.tokenExpiresAt.toISOString(),
  lastUsedAt: operator.lastUsedAt?.toISOString(),
  createdAt: operator.createdAt.toISOString(),
  updatedAt: operator.updatedAt.toISOString(),
});

/** An operator who was given a token just now. */
export const toOperatorWithToken = (
  operator: Operator & { token: string },
): z.input<typeof operatorWithTokenShape> => ({ ...toOperator(operator), token: operator.token });
