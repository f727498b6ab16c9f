import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { hookModes, readHooks } from '#modules/sandbox';
import { momentOut } from '#wire/moment.ts';
import type { SandboxCaller } from './shapes.ts';

const hooksShape = z.object({
  urls: z
    .object({ '200': z.url(), '500': z.url(), slow: z.url(), flaky: z.url() })
    .meta({ description: 'Webhook URLs of yours, by how they answer; anyone with a URL can send to it' }),
  requests: z
    .array(
      z.object({
        mode: z.enum(hookModes),
        status: z.int().meta({ description: 'What it was answered', example: 200 }),
        headers: z.record(z.string(), z.string()).meta({ description: 'Those that webhooks have' }),
        body: z.string().meta({ description: 'As it came' }),
        receivedAt: momentOut,
      }),
    )
    .meta({ description: 'The last 100, the latest first' }),
});

export function getHooks(
  app: ZodApp,
  deps: DepsOf<typeof readHooks>,
  { operationId, security, ownerOf }: SandboxCaller,
): void {
  app.get(
    '/hooks',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: operationId('listReceivedRequests'),
        summary: 'The URLs of your test receivers, and what they were sent',
        security,
        response: { 200: hooksShape },
      },
    },
    async (request) => {
      const { urls, requests } = await readHooks(deps, ownerOf(request));
      const shown = requests.map(({ mode, status, headers, body, receivedAt }) => {
        return { mode, status, headers, body, receivedAt: receivedAt.toISOString() };
      });
      return { urls, requests: shown };
    },
  );
}
