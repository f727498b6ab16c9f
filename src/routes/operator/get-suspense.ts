import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listSuspense } from '#modules/treasury';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { pendingReason } from '#wire/transaction.ts';
import { toWaiting, waitingShape } from './shapes/suspense.ts';

const query = paging.extend({ partnerId: optional(z.uuid()), reason: optional(pendingReason) });

export function getSuspense(app: ZodApp, deps: DepsOf<typeof listSuspense>): void {
  app.get(
    '/suspense',
    {
      schema: {
        summary: 'Money that waits because it cannot be credited, the oldest first',
        querystring: query,
        response: { 200: listOf(waitingShape), ...failuresFor(400, 401) },
      },
    },
    async (request) => pageOf(await listSuspense(deps, request.query), request.query, toWaiting),
  );
}
