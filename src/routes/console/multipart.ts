import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Response } from 'undici';
import { DomainError } from '#lib/domain-error.ts';

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
      const form = await new Response(body, { headers }).formData().catch((cause: unknown) => {
        throw new DomainError('BAD_REQUEST', 'the form is not readable', { cause });
      });
      const fields = new Map<string, string[]>();
      for (const [name, value] of form) {
        const text = typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64');
        fields.set(name, [...(fields.get(name) ?? []), text]);
      }
      return Object.fromEntries(fields);
    },
  );
}
