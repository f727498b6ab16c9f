import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';
import { scriptNamed } from './look/layout.ts';

const A_YEAR_S = 365 * 24 * 60 * 60;

/** The scripts of the pages. Their address changes with what stands in them, so that a browser keeps them. */
export function getAssets(app: ZodApp): void {
  const config = { anybody: true };
  app.get(
    '/assets/:file',
    { config, schema: { hide: true, params: z.object({ file: z.string() }) } },
    async (request, reply) => {
      const text = scriptNamed(request.params.file);
      if (text === undefined) throw new DomainError('ROUTE_NOT_FOUND', 'nothing is at this path: check it');
      reply.header('cache-control', `public, max-age=${A_YEAR_S}, immutable`).type('text/javascript; charset=utf-8');
      return reply.serializer(String).send(text);
    },
  );
}
