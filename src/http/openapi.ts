import type { RouteOptions } from 'fastify';
import { lazy } from '#lib/lazy.ts';
import type { Description } from './openapi-document.ts';
import type { ZodApp } from './zod-app.ts';

/**
 * Serves the OpenAPI 3.0.3 document of the routes of this instance at `openapi.json`. The document, and the code that writes it, load
 * with the first request for it: they take longer than the rest of a start.
 */
export function serveOpenApi(app: ZodApp, description: Description): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route);
  });
  const failureMembers = app.failureMembersByPrefix.get(app.prefix) ?? {};
  const textOfAll = lazy(async () => {
    const { describeRoutes } = await import('./openapi-document.ts');
    return JSON.stringify(await describeRoutes(routes, description, failureMembers));
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .serializer(String)
      .send(await textOfAll()),
  );
}
