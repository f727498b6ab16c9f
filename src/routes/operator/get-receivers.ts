import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { getReceiver as findReceiver } from '#modules/webhooks';
import { receiverParams, receiverShape, toReceiver } from './shapes/receiver.ts';

export function getReceivers(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/receivers/:ownerId',
    {
      schema: {
        operationId: 'getReceiver',
        summary: 'The webhook receiver of a partner or application, and how it is doing',
        params: receiverParams,
        response: { 200: receiverShape, ...failuresFor('RECEIVER_NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      toReceiver(await readLong(actor, async (db) => findReceiver(db, params.ownerId, clock))),
  );
}
