import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getComparison } from '#modules/rails';
import { comparedDay, comparisonShape, providerParam, toComparison } from './shapes/comparison.ts';

export function getRailsComparisons(app: ZodApp, deps: DepsOf<typeof getComparison>): void {
  app.get(
    '/rails/:provider/comparisons/:date',
    {
      schema: {
        operationId: 'getRailComparison',
        summary: 'The last comparison of a day with a provider’s list, and what differed',
        params: z.object({ provider: providerParam, date: comparedDay }),
        response: { 200: comparisonShape, ...failuresFor('COMPARISON_NOT_FOUND') },
      },
    },
    async ({ params: { provider, date: day } }) => toComparison(await getComparison(deps, { provider, day })),
  );
}
