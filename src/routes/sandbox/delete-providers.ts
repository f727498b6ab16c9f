import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { calmProvider } from '#modules/sandbox';
import type { SandboxCaller } from './caller.ts';
import { providerParams } from './disturbance.ts';

export function deleteProviders(
  app: ZodApp,
  deps: DepsOf<typeof calmProvider>,
  { operationId, security, ownerOf }: SandboxCaller,
): void {
  app.delete(
    '/providers/:provider',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: operationId('calmProvider'),
        summary: 'Have a provider answer as ever',
        security,
        params: providerParams,
        response: {
          200: z.object({ cleared: z.boolean().meta({ description: 'False: it answered as ever' }) }),
        },
      },
    },
    async (request) => ({
      cleared: await calmProvider(deps, { ownerId: ownerOf(request), provider: request.params.provider }),
    }),
  );
}
