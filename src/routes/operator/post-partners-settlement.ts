import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { settleFloat } from '#modules/treasury';
import { balanceAction, balanceHandler } from './balance-action.ts';
import type { FourEyesDeps } from './four-eyes.ts';

export function postPartnersSettlement(app: ZodApp, deps: DepsOf<typeof settleFloat> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /partners/:id/settlement', ({ id: partnerId, ...movement }) =>
    settleFloat(deps, { ...movement, partnerId }),
  );
  app.post(
    '/partners/:id/settlement',
    {
      schema: {
        ...balanceAction('PARTNER_NOT_FOUND', 'INSUFFICIENT_FUNDS'),
        operationId: 'settleFloat',
        summary: 'Take from a partner’s float what was paid out to it',
      },
    },
    handle,
  );
}
