import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { settleApplication } from '#modules/treasury';
import { balanceAction, balanceHandler } from './balance-action.ts';
import type { FourEyesDeps } from './four-eyes.ts';

export function postApplicationsSettlement(app: ZodApp, deps: DepsOf<typeof settleApplication> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /applications/:id/settlement', ({ id: applicationId, ...movement }) =>
    settleApplication(deps, { ...movement, applicationId }),
  );
  app.post(
    '/applications/:id/settlement',
    {
      schema: {
        ...balanceAction('APPLICATION_NOT_FOUND', 'INSUFFICIENT_FUNDS'),
        operationId: 'settleApplication',
        summary: 'Take from an application’s settlement wallet what was paid out to it',
      },
    },
    handle,
  );
}
