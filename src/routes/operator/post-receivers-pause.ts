import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { pauseReceiver } from '#modules/webhooks';
import { reasonBody } from './shapes/reason.ts';
import { endpointOfOwner, receiverParams, receiverShape, toReceiver } from './shapes/receiver.ts';

export function postReceiversPause(app: ZodApp, deps: DepsOf<typeof pauseReceiver>): void {
  app.post(
    '/receivers/:ownerId/pause',
    {
      schema: {
        operationId: 'pauseReceiver',
        summary: 'Send nothing to a receiver until it is resumed; its events are kept',
        params: receiverParams,
        body: reasonBody.extend(endpointOfOwner),
        response: { 200: receiverShape, ...failuresFor('RECEIVER_NOT_FOUND', 'ENDPOINT_NOT_FOUND') },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, actor: request.actor, by: 'OPERATOR' } as const;
      return toReceiver(await pauseReceiver(deps, change));
    },
  );
}
