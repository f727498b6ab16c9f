import { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { notifyLiftedLimit } from '#modules/clients';
import { type Closed, idsOf, liftThrottle, listClosed } from '#modules/limits';
import { mayDo } from '#modules/operators';
import { endSession, listSessions } from '#modules/sessions';
import { momentOut } from '#wire/moment.ts';
import { listOf, momentDigestKey, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { statusAction } from './actions.ts';
import { sessionShape, sessionStatus, toSession } from './operators.ts';
import { idParams } from './shapes.ts';

const throttleId = z
  .string()
  .regex(/^[\da-f]{64}$/, 'must be the id of a limit, as the list has it')
  .meta({ description: 'Says nothing of what is counted', example: 'a3'.repeat(32) });

/** What a limit refuses. Of whom it is no more than ids: what else it is counted by, as an address, is kept as a digest. */
const throttleShape = z.object({
  id: throttleId,
  name: z.string().meta({ description: 'What is counted', example: 'logins' }),
  about: z.array(z.string()).meta({
    description: 'Ids of partners, applications, customers or operators that it is of',
    example: ['01997a3c-5d1e-7b3f-8a2c-4e6f8091a2b3'],
  }),
  spent: z.int().meta({ description: 'How much was counted' }),
  until: momentOut.meta({ description: 'Until then it refuses' }),
});

/** The same as an answer. */
const toThrottle = (closed: Closed): z.input<typeof throttleShape> => ({
  id: closed.id,
  name: closed.name,
  about: idsOf(closed),
  spent: closed.spent,
  until: closed.until.toISOString(),
});

export function postSessionsEnd(app: ZodApp, deps: DepsOf<typeof endSession>): void {
  app.post(
    '/sessions/:id/end',
    {
      schema: {
        ...statusAction(idParams, sessionShape, 'SESSION_NOT_FOUND', 'SESSION_STATUS_CONFLICT'),
        operationId: 'endSession',
        summary: 'End a session of a customer: its token is refused from now on',
      },
    },
    async ({ params, body, actor }) => toSession(await endSession(deps, { ...body, id: params.id, actor })),
  );
}

const listPages = pagedBy('sessions', uuidKey);

const listQuerystring = listPages.query.extend({
  customerId: optional(z.uuid()).meta({ description: 'Whose they are' }),
  partnerId: optional(z.uuid()).meta({ description: 'Where they are logged in' }),
  status: optional(sessionStatus),
});

export function getSessions(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'Where customers are logged in, newest first; what has ended is listed for a day',
        querystring: listQuerystring,
        response: { 200: listOf(sessionShape) },
      },
    },
    async ({ actor, query }) =>
      listPages.page(await readLong(actor, async (db) => listSessions({ db, clock }, query)), query, toSession),
  );
}

export function postThrottlesLift(
  app: ZodApp,
  deps: DepsOf<typeof liftThrottle> & DepsOf<typeof notifyLiftedLimit>,
): void {
  app.post(
    '/throttles/:id/lift',
    {
      schema: {
        ...statusAction(z.object({ id: throttleId }), throttleShape, 'THROTTLE_NOT_FOUND', 'ROLE_REFUSED'),
        operationId: 'liftThrottle',
        summary: 'Let go what a limit refuses: its count begins from zero. Answers it as it was',
        description:
          'What holds operators back needs the role admin. What one’s own searches, reveals and exports have used up another admin lifts.',
      },
    },
    async (request) => {
      const { id, role } = operatorOf(request);
      const by = { id, actor: request.actor, isAdmin: mayDo(role, 'admin') };
      const lifted = await liftThrottle(deps, { id: request.params.id, by, reason: request.body.reason });
      await notifyLiftedLimit(deps, { ids: idsOf(lifted), what: lifted.name });
      return toThrottle(lifted);
    },
  );
}

const throttlesPages = pagedBy('throttles', momentDigestKey);

const throttlesQuerystring = throttlesPages.query.extend({
  name: optional(text(100)).meta({ description: 'What is counted', example: 'logins' }),
  about: optional(z.uuid()).meta({ description: 'Of which partner, application, customer or operator' }),
});

export function getThrottles(app: ZodApp, deps: DepsOf<typeof listClosed>): void {
  app.get(
    '/throttles',
    {
      schema: {
        operationId: 'listThrottles',
        summary: 'What is refused by a limit now, that first which opens last',
        description:
          'Limits that all processes share: of logins, codes, wrong tokens and daily budgets. Those of calls in a second, which each process has of its own, are over sooner than they can be listed.',
        querystring: throttlesQuerystring,
        response: { 200: listOf(throttleShape) },
      },
    },
    async ({ query }) => throttlesPages.page(await listClosed(deps, query), query, toThrottle),
  );
}
