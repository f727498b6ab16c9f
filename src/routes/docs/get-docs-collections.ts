import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { COLLECTIONS } from './references.ts';

const params = z.object({ file: z.enum(COLLECTIONS.map(({ file }) => file)) });

/** A file for a program that sends requests: a collection, its environment, or the story. */
export function getDocsCollections(app: ZodApp): void {
  app.get('/docs/collections/:file', { schema: { hide: true, params } }, async (request, reply) => {
    const { file } = request.params;
    const text = await readFile(new URL(`../../docs/collections/${file}`, import.meta.url), 'utf8');
    return reply
      .headers({ 'content-disposition': `attachment; filename="${file}"`, 'cache-control': 'public, max-age=300' })
      .type(file.endsWith('.json') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
      .serializer(String)
      .send(text);
  });
}
