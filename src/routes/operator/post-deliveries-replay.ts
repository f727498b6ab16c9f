import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { replayDeliveries } from '#modules/webhooks';
import { replayBody, replayShape, toReplay } from '#wire/replay.ts';
import { optional, optionalReason } from '#wire/text.ts';

const body = replayBody
  .extend({ partnerId: optional(z.uuid()), applicationId: optional(z.uuid()), reason: optionalReason })
  .refine(({ partnerId, applicationId }) => partnerId === undefined || applicationId === undefined, {
    path: ['applicationId'],
    error: 'give this or partnerId, not both',
  })
  .meta({ example: { event: 'wallet.credited', error: 'status 5xx', reason: 'they lost some', dryRun: true } });

export function postDeliveriesReplay(app: ZodApp, deps: DepsOf<typeof replayDeliveries>): void {
  app.post(
    '/deliveries/replay',
    {
      schema: {
        operationId: 'replayDeliveries',
        summary: 'Deliver the events of the deliveries that match once more; without an owner, of all receivers',
        body,
        response: { 200: replayShape },
      },
    },
    async (request) => toReplay(await replayDeliveries(deps, { ...request.body, actor: request.actor })),
  );
}
