import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listComparisons } from '#modules/rails';
import { dayParam } from '#wire/day.ts';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';
import { listedComparisonShape, providerParam, toListedComparison } from './shapes/comparison.ts';

const list = listOrFile('comparisons', pagedBy('comparisons', uuidKey), listedComparisonShape);

const query = list.query.extend({
  from: optional(dayParam).meta({ description: 'Of this day or a later one' }),
  to: optional(dayParam).meta({ description: 'Of this day or an earlier one' }),
});

export function getRailsComparisons(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listComparisons>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/rails/:provider/comparisons',
    {
      schema: {
        operationId: 'listRailComparisons',
        summary: 'Comparisons of a provider’s lists with ours, the last one first',
        params: z.object({ provider: providerParam }),
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      const { provider } = request.params;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) =>
          readLong(request.actor, (db) => listComparisons({ ...deps, db }, { ...asked, ...page, provider })),
        toItem: toListedComparison,
      });
    },
  );
}
