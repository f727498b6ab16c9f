import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { openStatement } from '#modules/statements';
import { refuseStatement } from './statement/refuse-statement.ts';

/** The document of a signed link, for whoever has the link. */
export function getStatements(app: ZodApp, deps: DepsOf<typeof openStatement>): void {
  app.get(
    '/statements/:token',
    { errorHandler: refuseStatement, schema: { hide: true, params: z.object({ token: z.string() }) } },
    async (request, reply) => {
      const { contentType, filename, contentSecurityPolicy, body } = await openStatement(deps, request.params.token);
      if (contentSecurityPolicy !== undefined) reply.header('content-security-policy', contentSecurityPolicy);
      return reply
        .type(contentType)
        .header('content-disposition', `inline; filename="${filename}"`)
        .header('x-robots-tag', 'noindex, nofollow')
        .header('referrer-policy', 'no-referrer')
        .send(body);
    },
  );
}
