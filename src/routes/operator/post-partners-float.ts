import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fundFloat } from '#modules/treasury';
import { balanceAction, balanceHandler } from './balance-action.ts';
import type { FourEyesDeps } from './four-eyes.ts';

export function postPartnersFloat(app: ZodApp, deps: DepsOf<typeof fundFloat> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /partners/:id/float', ({ id: partnerId, ...movement }) =>
    fundFloat(deps, { ...movement, partnerId }),
  );
  app.post(
    '/partners/:id/float',
    { schema: { ...balanceAction('PARTNER_NOT_FOUND'), operationId: 'fundFloat', summary: 'Fund a partner’s float' } },
    handle,
  );
}
