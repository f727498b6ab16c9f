import { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import {
  type ConsoleSession,
  changeOperatorRole,
  createOperator,
  disableOperator,
  enableOperator,
  endConsoleSession,
  listConsoleSessions,
  listOperators,
  type Operator,
  operatorStatuses,
  roles,
  rotateOperatorToken,
} from '#modules/operators';
import { type SessionForOperator, sessionStatuses } from '#modules/sessions';
import { momentOut } from '#wire/moment.ts';
import { listOf, momentKey, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, optionalReason, reason, text } from '#wire/text.ts';
import { statusAction } from './actions.ts';
import { idParams, optionalReasonBody } from './shapes.ts';

const operatorRole = z.enum(roles);

const operatorStatus = z.enum(operatorStatuses);

const operatorShape = z.object({
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
const operatorWithTokenShape = operatorShape.extend({
  token: z
    .string()
    .meta({ example: 'op_sandbox_pI2q0sT7xw8m4cUj3yZ5vB6nR9kD1eGhLfAoWtXuYiQ', description: 'Shown once' }),
});

/** An operator, without the token. */
const toOperator = (operator: Operator): z.input<typeof operatorShape> => ({
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
const toOperatorWithToken = (operator: Operator & { token: string }): z.input<typeof operatorWithTokenShape> => ({
  ...toOperator(operator),
  token: operator.token,
});

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
const consoleSessionShape = z.object({
  id: z.uuid(),
  operatorId: z.string().meta({ description: 'root for the holder of OPERATOR_TOKEN' }),
  operatorName: z.string().meta({ example: 'Ngozi Eze' }),
  role: operatorRole,
  createdAt: momentOut,
  expiresAt: momentOut,
  endedAt: momentOut.optional(),
});

/** The same as an answer. */
const toConsoleSession = ({
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

const sessionsPages = pagedBy('console-sessions', momentKey);

export function getOperatorsSessions(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listConsoleSessions>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/operators/sessions',
    {
      schema: {
        operationId: 'listConsoleSessions',
        summary: 'Who is signed in at the console now, newest first',
        querystring: sessionsPages.query.extend({
          operatorId: optional(z.uuid()).meta({ description: 'Of this operator; root has no id of this kind' }),
        }),
        response: { 200: listOf(consoleSessionShape) },
      },
    },
    async ({ actor, query }) => {
      const found = await readLong(actor, async (db) => listConsoleSessions({ ...deps, db }, query));
      return sessionsPages.page(found, query, toConsoleSession);
    },
  );
}

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

export function postOperatorsSessionsEnd(app: ZodApp, deps: DepsOf<typeof endConsoleSession>): void {
  app.post(
    '/operators/sessions/:id/end',
    {
      schema: {
        ...statusAction(idParams, consoleSessionShape, 'SESSION_NOT_FOUND'),
        operationId: 'endConsoleSession',
        summary: 'Sign an operator out at the console, whose token is as good as before',
      },
    },
    async ({ params, body, actor }) =>
      toConsoleSession(await endConsoleSession(deps, { ...body, id: params.id, actor })),
  );
}

const listPages = pagedBy('operators', uuidKey);

export function getOperators(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/operators',
    {
      schema: {
        operationId: 'listOperators',
        summary: 'The operators, newest first; root, who holds OPERATOR_TOKEN, is not among them',
        querystring: listPages.query.extend({ status: optional(operatorStatus) }),
        response: { 200: listOf(operatorShape) },
      },
    },
    async ({ actor, query }) =>
      listPages.page(await readLong(actor, async (db) => listOperators(db, query)), query, toOperator),
  );
}

/** Names stand among other words in audit entries and must not imitate them: so no colons and no commas. */
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
