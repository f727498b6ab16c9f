import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findLinks } from '#modules/federations';
import { momentIn } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { linkForOperatorShape, linkStatus, toLinkForOperator } from './shapes/claim.ts';

const pages = pagedBy('links', uuidKey);

const querystring = pages.query.extend({
  tag: optional(text(100)).meta({ description: 'Only those of this tag, on either side', example: 'ada' }),
  applicationId: optional(z.uuid()).meta({ description: 'Whose is a tag on either side' }),
  status: optional(linkStatus),
  from: optional(momentIn).meta({ description: 'Begun then or later' }),
  to: optional(momentIn).meta({ description: 'Begun before' }),
});

export function getFederations(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findLinks>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/federations',
    {
      schema: {
        operationId: 'listLinks',
        summary: 'Links between tags of different applications, newest first',
        querystring,
        response: { 200: listOf(linkForOperatorShape) },
      },
    },
    async ({ actor, query }) => {
      const found = await readLong(actor, async (db) => findLinks({ ...deps, db }, query));
      return pages.page(found, query, toLinkForOperator);
    },
  );
}
