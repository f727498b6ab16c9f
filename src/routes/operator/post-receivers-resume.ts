import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { resumeReceiver } from '#modules/webhooks';
import { optionalReason } from '#wire/text.ts';
import { endpointOfOwner, receiverParams, receiverShape, toReceiver } from './shapes/receiver.ts';

const body = z.object({ reason: optionalReason, ...endpointOfOwner }).nullish();

export function postReceiversResume(app: ZodApp, deps: DepsOf<typeof resumeReceiver>): void {
  app.post(
    '/receivers/:ownerId/resume',
    {
      schema: {
        operationId: 'resumeReceiver',
        summary: 'Send to a receiver again, what was kept for it first of all',
        params: receiverParams,
        body,
        response: { 200: receiverShape, ...failuresFor('RECEIVER_NOT_FOUND', 'ENDPOINT_NOT_FOUND') },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, actor: request.actor, by: 'OPERATOR' } as const;
      return toReceiver(await resumeReceiver(deps, change));
    },
  );
}
