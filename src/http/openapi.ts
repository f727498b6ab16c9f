import type { RouteOptions } from 'fastify';
import { lazy } from '#lib/lazy.ts';
import type { Description } from './describe-routes.ts';
import type { ZodApp } from './zod-app.ts';

/**
 * Describes the routes of this instance in an OpenAPI 3.0.3 document, and serves it at `openapi.json`. It is made for the
 * first who asks, because it takes longer than the rest of a start; so does loading what makes it.
 */
export function serveOpenApi(app: ZodApp, description: Description): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route);
  });
  const failureMembers = app.failureMembersByPrefix.get(app.prefix) ?? {};
  const textOfAll = lazy(async () => {
    const { describeRoutes } = await import('./describe-routes.ts');
    return JSON.stringify(await describeRoutes(routes, description, failureMembers));
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .serializer(String)
      .send(await textOfAll()),
  );
}
