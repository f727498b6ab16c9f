import type { ZodApp } from '#http/zod-app.ts';
import { settleApplication } from '#modules/applications';
import {
  type ApplicationMoneyDeps,
  applicationMoneyAction,
  applicationMoneyHandler,
} from './application-money-action.ts';

export function postApplicationsSettlement(app: ZodApp, deps: ApplicationMoneyDeps): void {
  const handle = applicationMoneyHandler(app, deps, 'POST /applications/:id/settlement', settleApplication);
  app.post(
    '/applications/:id/settlement',
    {
      schema: {
        ...applicationMoneyAction,
        summary: 'Take from an application’s settlement wallet what was paid out to it',
      },
    },
    handle,
  );
}
