import type { FastifyInstance } from 'fastify';
import { DomainError } from '../lib/domain-error.ts';
import { parseExactJson } from './exact-json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for digests. */
    rawBody: string;
  }
}

/** JSON bodies, and empty ones under any content type. Everything else is 415. */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: { rawBody: string }, text: string) => {
      request.rawBody = text;
      return text.trim() === '' ? undefined : parseExactJson(text);
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length > 0) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'send the body as application/json');
    return undefined;
  });
}
