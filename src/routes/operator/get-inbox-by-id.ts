import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getMessage } from '#modules/inbox';
import { messageShape, toMessage } from './shapes/message.ts';
import { idParams } from './shapes/params.ts';

export function getInboxById(app: ZodApp, deps: DepsOf<typeof getMessage>): void {
  app.get(
    '/inbox/:id',
    {
      schema: {
        operationId: 'getInboxMessage',
        summary: 'What a provider told us, and what has become of it',
        params: idParams,
        response: { 200: messageShape, ...failuresFor('MESSAGE_NOT_FOUND') },
      },
    },
    async ({ params }) => toMessage(await getMessage(deps, params.id)),
  );
}
