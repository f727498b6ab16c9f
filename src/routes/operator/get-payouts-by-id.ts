import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getPayout } from '#modules/payouts';
import { idParams } from './shapes/params.ts';
import { payoutShape, toPayout } from './shapes/payout.ts';

export function getPayoutsById(app: ZodApp, deps: DepsOf<typeof getPayout>): void {
  app.get(
    '/payouts/:id',
    {
      schema: {
        operationId: 'getPayout',
        summary: 'A payout, and what its provider said of it',
        params: idParams,
        response: { 200: payoutShape, ...failuresFor('PAYOUT_NOT_FOUND') },
      },
    },
    async ({ params }) => toPayout(await getPayout(deps, params.id)),
  );
}
