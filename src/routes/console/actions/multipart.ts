import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '#lib/domain-error.ts';
import { undici } from '#lib/undici.ts';

/** No form of ours has nearly as many fields; reading very many keeps everybody waiting. */
const PARTS_MAX = 500;
/** What stands at the head of each part, whatever the letters. */
const PART = /content-disposition:/gi;

/** Bytes are looked at as Latin-1, which takes them all. */
function hasFewParts(body: Buffer): boolean {
  return body.toString('latin1').matchAll(PART).drop(PARTS_MAX).next().done === true;
}

/**
 * Reads forms with a file (multipart/form-data): a file becomes its bytes in Base64, the rest are texts as in any form. What it
 * holds is bounded by the body of its route.
 */
export function readMultipart(app: FastifyInstance): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      if (!hasFewParts(body)) throw new DomainError('BAD_REQUEST', 'the form has too many fields');
      const form = await new (undici().Response)(body, { headers }).formData().catch((cause: unknown) => {
        throw new DomainError('BAD_REQUEST', 'the form is not readable', { cause });
      });
      const fields = new Map<string, string[]>();
      for (const [name, value] of form) {
        const text = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64');
        const before = fields.get(name);
        if (before === undefined) fields.set(name, [text]);
        else before.push(text);
      }
      return Object.fromEntries(fields);
    },
  );
}
