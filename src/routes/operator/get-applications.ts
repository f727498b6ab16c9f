import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listApplications } from '#modules/applications';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { applicationShape, applicationStatus, toApplication } from './shapes/application.ts';

const pages = pagedBy('applications', uuidKey);

export function getApplications(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listApplications>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/applications',
    {
      schema: {
        operationId: 'listApplications',
        summary: 'Find applications, newest first',
        querystring: pages.query.extend({ status: optional(applicationStatus) }),
        response: { 200: listOf(applicationShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listApplications({ ...deps, db }, request.query));
      return pages.page(found, request.query, toApplication);
    },
  );
}
