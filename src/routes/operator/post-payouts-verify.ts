import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { verifyPayout } from '#modules/payouts';
import { idParams } from './shapes/params.ts';
import { payoutShape, toPayout } from './shapes/payout.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postPayoutsVerify(app: ZodApp, deps: DepsOf<typeof verifyPayout>): void {
  app.post(
    '/payouts/:id/verify',
    {
      schema: {
        operationId: 'verifyPayout',
        summary: 'Ask the provider now what has become of a payout, and book it',
        params: idParams,
        body: optionalReasonBody,
        response: {
          200: payoutShape,
          ...failuresFor('PAYOUT_NOT_FOUND', 'PAYOUT_STATE_CONFLICT', 'PROVIDER_NOT_CONFIGURED'),
        },
      },
    },
    async ({ params, body, actor }) => toPayout(await verifyPayout(deps, { ...body, id: params.id, actor })),
  );
}
