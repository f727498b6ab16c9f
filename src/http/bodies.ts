import type { FastifyInstance } from 'fastify';
import { DomainError } from '#lib/domain-error.ts';
import { parseExactJson } from './exact-json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for digests. */
    rawBody: string;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new DomainError('MALFORMED_JSON', 'the body is not valid UTF-8', { cause });
  }
}

/** JSON bodies, and empty ones under any content type. Everything else is 415. */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: { rawBody: string }, body: Buffer) => {
      const text = decode(body);
      request.rawBody = text;
      return text.trim() === '' ? undefined : parseExactJson(text);
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length > 0) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'send the body as application/json');
    return undefined;
  });
}
