import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { listSuspense } from '#modules/treasury';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { pendingReason } from '#wire/transaction.ts';
import { toWaiting, waitingShape } from './shapes/suspense.ts';

const pages = pagedBy('suspense', numberKey);

const query = pages.query.extend({ partnerId: optional(z.uuid()), reason: optional(pendingReason) });

export function getSuspense(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listSuspense>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/suspense',
    {
      schema: {
        operationId: 'listSuspense',
        summary: 'Money that waits because it cannot be credited, the oldest first',
        querystring: query,
        response: { 200: listOf(waitingShape) },
      },
    },
    async ({ actor, query: asked }) =>
      pages.page(await readLong(actor, async (db) => listSuspense({ ...deps, db }, asked)), asked, toWaiting),
  );
}
