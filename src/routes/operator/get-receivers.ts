import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { getReceiver as findReceiver } from '#modules/webhooks';
import { receiverParams, receiverShape, toReceiver } from './shapes/receiver.ts';

export function getReceivers(app: ZodApp, { db, clock }: { db: Database; clock: Clock }): void {
  app.get(
    '/receivers/:ownerId',
    {
      schema: {
        summary: 'The webhook receiver of a partner or application, and how it is doing',
        params: receiverParams,
        response: { 200: receiverShape, ...failuresFor(400, 401, 404) },
      },
    },
    async (request) => toReceiver(await findReceiver(db, request.params.ownerId, clock)),
  );
}
