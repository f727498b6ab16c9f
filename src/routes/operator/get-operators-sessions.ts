import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listConsoleSessions } from '#modules/operators';
import { listOf, momentKey, pagedBy } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { consoleSessionShape, toConsoleSession } from './shapes/session.ts';

const pages = pagedBy('console-sessions', momentKey);

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
        querystring: pages.query.extend({
          operatorId: optional(z.uuid()).meta({ description: 'Of this operator; root has no id of this kind' }),
        }),
        response: { 200: listOf(consoleSessionShape) },
      },
    },
    async ({ actor, query }) => {
      const found = await readLong(actor, async (db) => listConsoleSessions({ ...deps, db }, query));
      return pages.page(found, query, toConsoleSession);
    },
  );
}
