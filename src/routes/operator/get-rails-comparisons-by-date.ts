import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getComparison } from '#modules/rails';
import { asFile, fileQuery, withFile } from './list-or-file.ts';
import { comparedDay, comparisonShape, differenceShape, providerParam, toComparison } from './shapes/comparison.ts';

export function getRailsComparisonsByDate(app: ZodApp, deps: DepsOf<typeof getComparison>): void {
  app.get(
    '/rails/:provider/comparisons/:date',
    {
      schema: {
        operationId: 'getRailComparison',
        summary: 'The last comparison of a day with a provider’s list, and what differed',
        params: z.object({ provider: providerParam, date: comparedDay }),
        querystring: fileQuery,
        response: { 200: withFile(comparisonShape), ...failuresFor('COMPARISON_NOT_FOUND') },
      },
    },
    async ({ params: { provider, date: day }, query }, reply) => {
      const answer = toComparison(await getComparison(deps, { provider, day }));
      if (query.format !== 'csv') return answer;
      return asFile(reply, `${provider}-${day}`, differenceShape, answer, ({ differences }) => differences);
    },
  );
}
