import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { compareDay } from '#modules/rails';
import { optionalReason } from '#wire/text.ts';
import { comparedDay, comparisonShape, providerParam, toComparison } from './shapes/comparison.ts';

export function postRailsCompare(app: ZodApp, deps: DepsOf<typeof compareDay>): void {
  app.post(
    '/rails/:provider/compare',
    {
      schema: {
        operationId: 'compareRail',
        summary: 'Compare a provider’s list of a day with ours: what we lack is booked, what it lacks is asked about',
        params: z.object({ provider: providerParam }),
        body: z.object({ date: comparedDay, reason: optionalReason }),
        response: { 200: comparisonShape, ...failuresFor('RAIL_NOT_FOUND', 'RAIL_PROVIDER_UNAVAILABLE') },
      },
    },
    async ({ params: { provider }, body: { date: day, reason }, actor }) =>
      toComparison(await compareDay(deps, { provider, day, actor, reason })),
  );
}
