import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listSessions } from '#modules/sessions';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { sessionShape, sessionStatus, toSession } from './shapes/session.ts';

const pages = pagedBy('sessions', uuidKey);

const querystring = pages.query.extend({
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
        querystring,
        response: { 200: listOf(sessionShape) },
      },
    },
    async ({ actor, query }) =>
      pages.page(await readLong(actor, async (db) => listSessions({ db, clock }, query)), query, toSession),
  );
}
