import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fundApplication } from '#modules/treasury';
import { balanceAction, balanceHandler } from './balance-action.ts';
import type { FourEyesDeps } from './four-eyes.ts';

export function postApplicationsFund(app: ZodApp, deps: DepsOf<typeof fundApplication> & FourEyesDeps): void {
  const handle = balanceHandler(app, deps, 'POST /applications/:id/fund', ({ id: applicationId, ...movement }) =>
    fundApplication(deps, { ...movement, applicationId }),
  );
  app.post(
    '/applications/:id/fund',
    {
      schema: {
        ...balanceAction('APPLICATION_NOT_FOUND'),
        operationId: 'fundApplication',
        summary: 'Fund an application’s settlement wallet',
      },
    },
    handle,
  );
}
