import { z } from 'zod';
import type { ConsoleSession } from '#modules/operators';
import { type SessionForOperator, sessionStatuses } from '#modules/sessions';
import { momentOut } from '#wire/moment.ts';
import { operatorRole } from './operator.ts';

export const sessionStatus = z.enum(sessionStatuses);

/** A customer's session at a partner: nothing of its token. */
export const sessionShape = z.object({
  id: z.uuid(),
  customerId: z.uuid(),
  paytag: z.string().optional().meta({ example: 'ada' }),
  partnerId: z.uuid(),
  partnerName: z.string().meta({ example: 'Acme' }),
  status: sessionStatus,
  issuedAt: momentOut,
  expiresAt: momentOut,
  revokedAt: momentOut.optional(),
});

/** The same as an answer. */
export const toSession = ({
  issuedAt,
  expiresAt,
  revokedAt,
  ...session
}: SessionForOperator): z.input<typeof sessionShape> => ({
  ...session,
  issuedAt: issuedAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  revokedAt: revokedAt?.toISOString(),
});

/** That an operator is signed in at the console. */
export const consoleSessionShape = z.object({
  id: z.uuid(),
  operatorId: z.string().meta({ description: 'root for the holder of OPERATOR_TOKEN' }),
  operatorName: z.string().meta({ example: 'Ngozi Eze' }),
  role: operatorRole,
  createdAt: momentOut,
  expiresAt: momentOut,
  endedAt: momentOut.optional(),
});

/** The same as an answer. */
export const toConsoleSession = ({
  createdAt,
  expiresAt,
  endedAt,
  ...session
}: ConsoleSession): z.input<typeof consoleSessionShape> => ({
  ...session,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  endedAt: endedAt?.toISOString(),
});
