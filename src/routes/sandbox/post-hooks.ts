import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { hookModes, receiveHook } from '#modules/sandbox';
import { text } from '#wire/text.ts';

const received = z.object({ received: z.literal(true), mode: z.enum(hookModes) });
/** As many times the time that a delivery waits for an answer. */
const TOO_LONG = 1.5;

type Deps = DepsOf<typeof receiveHook> & { webhooks: { timeoutMs: number } };

export function postHooks(app: ZodApp, deps: Deps): void {
  app.post(
    '/hooks/:mode/:key',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'receiveTestEvent',
        summary: 'A test receiver: answers 200, 500, too slowly, or 500 to the first two attempts of an event',
        params: z.object({ mode: z.enum(hookModes), key: text(100) }),
        response: {
          200: received,
          500: received.describe('As its mode asks for'),
          ...failuresFor('RECEIVER_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const { params, headers, rawBody: body } = request;
      const status = await receiveHook(deps, { ...params, headers, body });
      if (params.mode === 'slow') await wait(deps.webhooks.timeoutMs * TOO_LONG, undefined, { ref: false });
      reply.code(status === 500 ? 500 : 200);
      return { received: true as const, mode: params.mode };
    },
  );
}
