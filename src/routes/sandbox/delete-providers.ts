import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { calmProvider } from '#modules/sandbox';
import type { SandboxCaller } from './shapes.ts';
import { providerParams } from './shapes.ts';

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
        summary: 'Make a provider answer normally again',
        security,
        params: providerParams,
        response: {
          200: z.object({ cleared: z.boolean().meta({ description: 'False: it was not disturbed' }) }),
        },
      },
    },
    async (request) => ({
      cleared: await calmProvider(deps, { ownerId: ownerOf(request), provider: request.params.provider }),
    }),
  );
}
