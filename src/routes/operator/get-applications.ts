import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listApplications } from '#modules/applications';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { applicationShape, applicationStatus, toApplication } from './shapes/application.ts';

export function getApplications(app: ZodApp, deps: DepsOf<typeof listApplications>): void {
  app.get(
    '/applications',
    {
      schema: {
        summary: 'Find applications, newest first',
        querystring: paging.extend({ status: optional(applicationStatus) }),
        response: { 200: listOf(applicationShape), ...failuresFor(400, 401) },
      },
    },
    async (request) => {
      return pageOf(await listApplications(deps, request.query), request.query, toApplication);
    },
  );
}
