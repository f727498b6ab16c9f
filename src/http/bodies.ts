import { parse } from 'node:querystring';
import formbody from '@fastify/formbody';
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

/** Forms, as browsers and OAuth clients send them, for the routes of this instance. */
export function readForms(app: FastifyInstance): void {
  app.register(formbody, {
    parser: (text) => {
      if (!isEncodedUtf8(text)) throw new DomainError('BAD_REQUEST', 'the form is not percent-encoded UTF-8');
      return parse(text, '&', '=', { maxKeys: 0 });
    },
  });
}

/**
 * Whether the query of a URL, or a form, is ASCII whose escapes stand for UTF-8: read otherwise, another character would silently
 * take the place of the one that was meant. A `%` that escapes nothing is itself.
 */
export function isEncodedUtf8(text: string): boolean {
  if (/[^\x20-\x7e]/.test(text)) return false;
  if (!/%[89a-f]/i.test(text)) return true;
  try {
    decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}
