import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { disturbProvider } from '#modules/sandbox';
import { optional } from '#wire/text.ts';
import type { SandboxCaller } from './shapes.ts';
import { disturbanceShape, disturbedAnswer, providerParams } from './shapes.ts';

const DELAY_MAX_MS = 10_000;
const DELAY_DEFAULT_MS = 1000;

const body = z.object({
  answer: disturbedAnswer,
  times: optional(z.int().min(1).max(100)).meta({ description: 'For so many calls; without it, the next one' }),
  delayMs: optional(z.int().min(0).max(DELAY_MAX_MS)).meta({
    description: 'Milliseconds before the answer, or before it is given up; without it 1000, and 0 to fail',
  }),
});

export function putProviders(
  app: ZodApp,
  deps: DepsOf<typeof disturbProvider>,
  { operationId, security, ownerOf }: SandboxCaller,
): void {
  app.put(
    '/providers/:provider',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: operationId('disturbProvider'),
        summary: 'Make the next answers of a provider fail, time out or come late, for your own calls only',
        security,
        params: providerParams,
        body,
        response: { 200: disturbanceShape, ...failuresFor('PROVIDER_NOT_SIMULATED') },
      },
    },
    async (request) => {
      const { answer, times = 1, delayMs = answer === 'fail' ? 0 : DELAY_DEFAULT_MS } = request.body;
      const { provider } = request.params;
      return disturbProvider(deps, { ownerId: ownerOf(request), provider, answer, delayMs, timesLeft: times });
    },
  );
}
