import { parse } from 'node:querystring';
import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';
import { DomainError } from '#lib/domain-error.ts';
import { exactValue } from '#lib/minor-units.ts';
import { isStorable } from '#lib/text/input.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it arrived, for digests. */
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

/** Reads JSON bodies, and accepts an empty body of any content type. Everything else is 415. */
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

/** Reads forms of browsers and OAuth clients in the routes of this instance. */
export function readForms(app: FastifyInstance): void {
  app.register(formbody, {
    parser: (text) => {
      if (!isEncodedUtf8(text)) throw new DomainError('BAD_REQUEST', 'the form is not percent-encoded UTF-8');
      return parse(text, '&', '=', { maxKeys: 0 });
    },
  });
}

/**
 * Whether a query or form is ASCII whose escapes are UTF-8. Anything else would be read as other characters than were meant. A `%` that
 * escapes nothing stands for itself.
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

/** Most characters of a number: enough for every digit of a double and its exponent. */
const NUMBER_MAX = 40;

/**
 * A number that a double cannot hold: `1e400`, 9007199254740993, 0.10000000000000000001. It fails wherever a number is required, and
 * keeps its text in free-form members.
 */
class InexactNumber {
  readonly #source: string;
  constructor(source: string) {
    this.#source = source;
  }
  toJSON(): string {
    return this.#source;
  }
}

/** Compares values, not spelling: Java writes ten million as `1.0E7`. */
const isExact = (value: number, source: string): boolean => {
  const shortest = String(value);
  return shortest === source || (exactValue(shortest) === exactValue(source) && !Object.is(value, -0));
};

/** The parser's message for a member that would change a prototype. */
const FORBIDDEN = /forbidden prototype/;

/**
 * JSON.parse that changes no number silently. Of a repeated member the last counts, as everywhere in JavaScript.
 *
 * @throws DomainError MALFORMED_JSON
 */
export function parseExactJson(text: string): unknown {
  const revive = (key: string, value: unknown, context?: { source?: string }): unknown => {
    if (!isStorable(key))
      throw new DomainError('MALFORMED_JSON', 'a member name holds a character that is not allowed');
    if (typeof value === 'string' && !isStorable(value)) {
      throw new DomainError('MALFORMED_JSON', `${key || 'body'}: holds a NUL or half a character`);
    }
    if (typeof value !== 'number' || context?.source === undefined) return value;
    if (context.source.length > NUMBER_MAX) {
      throw new DomainError('MALFORMED_JSON', `${key || 'body'}: a number must have at most ${NUMBER_MAX} characters`);
    }
    return isExact(value, context.source) ? value : new InexactNumber(context.source);
  };
  try {
    return secureJson.parse(text, revive, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    const message = FORBIDDEN.test(String(cause))
      ? 'the body must have no member __proto__, and no constructor with a prototype in it'
      : 'the body is not valid JSON';
    throw new DomainError('MALFORMED_JSON', message, { cause });
  }
}
