import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getReceiver as findReceiver, listEndpoints } from '#modules/webhooks';
import { receiverParams, receiverWithEndpoints, toReceiverWithEndpoints } from './shapes/receiver.ts';

export function getReceiversByOwnerId(app: ZodApp, { readLong, clock }: { readLong: ReadLong; clock: Clock }): void {
  app.get(
    '/receivers/:ownerId',
    {
      schema: {
        operationId: 'getReceiver',
        summary: 'The webhook receiver of a partner or application, with all its endpoints, and how they are doing',
        params: receiverParams,
        response: { 200: receiverWithEndpoints, ...failuresFor('RECEIVER_NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      readLong(actor, async (db) => {
        const receiver = await findReceiver(db, params.ownerId, clock);
        return toReceiverWithEndpoints(receiver, await listEndpoints({ db, clock }, params.ownerId), clock.now());
      }),
  );
}
