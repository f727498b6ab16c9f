import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listDisturbances } from '#modules/sandbox';
import type { SandboxCaller } from './shapes.ts';
import { disturbanceShape } from './shapes.ts';

export function getProviders(
  app: ZodApp,
  deps: DepsOf<typeof listDisturbances>,
  { operationId, security, ownerOf }: SandboxCaller,
): void {
  app.get(
    '/providers',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: operationId('listDisturbances'),
        summary: 'Which providers you have disturbed, and for how many more calls',
        security,
        response: {
          200: z.object({ disturbed: z.array(disturbanceShape) }),
        },
      },
    },
    async (request) => ({ disturbed: await listDisturbances(deps, ownerOf(request)) }),
  );
}
