import { failuresFor } from '#http/openapi-meta.ts';
import { listOf, paging } from '#http/paging.ts';
import { optional } from '#http/text.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { listApplications } from '#modules/applications';
import type { Resources } from '../../resources.ts';
import { applicationStatus, operatedApplicationShape, toOperatedApplication } from './application-shapes.ts';

export function getApplications(app: ZodApp, resources: Resources): void {
  app.get(
    '/applications',
    {
      schema: {
        summary: 'Find applications, newest first',
        querystring: paging.extend({ status: optional(applicationStatus) }),
        response: { 200: listOf(operatedApplicationShape), ...failuresFor(400, 401) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      const { items, count } = await listApplications(resources, request.query);
      return { items: items.map(toOperatedApplication), count, limit, offset };
    },
  );
}
