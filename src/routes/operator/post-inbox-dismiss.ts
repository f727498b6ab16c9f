import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { dismissMessage } from '#modules/inbox';
import { messageShape, toMessage } from './shapes/message.ts';
import { idParams } from './shapes/params.ts';
import { reasonBody } from './shapes/reason.ts';

export function postInboxDismiss(app: ZodApp, deps: DepsOf<typeof dismissMessage>): void {
  app.post(
    '/inbox/:id/dismiss',
    {
      schema: {
        operationId: 'dismissInboxMessage',
        summary: 'Close what a provider told us and does not agree with our books, as seen: nothing is booked',
        params: idParams,
        body: reasonBody,
        response: { 200: messageShape, ...failuresFor('MESSAGE_NOT_FOUND', 'MESSAGE_BOOKED') },
      },
    },
    async ({ params, body, actor }) => toMessage(await dismissMessage(deps, { ...body, id: params.id, actor })),
  );
}
