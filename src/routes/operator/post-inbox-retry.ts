import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { retryMessage } from '#modules/inbox';
import { messageShape, toMessage } from './shapes/message.ts';
import { idParams } from './shapes/params.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postInboxRetry(app: ZodApp, deps: DepsOf<typeof retryMessage>): void {
  app.post(
    '/inbox/:id/retry',
    {
      schema: {
        operationId: 'retryInboxMessage',
        summary: 'Have what a provider told us tried again at once, where it is not in the books',
        params: idParams,
        body: optionalReasonBody,
        response: { 200: messageShape, ...failuresFor('MESSAGE_NOT_FOUND', 'MESSAGE_BOOKED') },
      },
    },
    async ({ params, body, actor }) => toMessage(await retryMessage(deps, { ...body, id: params.id, actor })),
  );
}
