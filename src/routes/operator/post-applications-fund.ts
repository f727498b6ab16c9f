import type { ZodApp } from '#http/zod-app.ts';
import { fundApplication } from '#modules/applications';
import {
  type ApplicationMoneyDeps,
  applicationMoneyAction,
  applicationMoneyHandler,
} from './application-money-action.ts';

export function postApplicationsFund(app: ZodApp, deps: ApplicationMoneyDeps): void {
  const handle = applicationMoneyHandler(app, deps, 'POST /applications/:id/fund', fundApplication);
  app.post(
    '/applications/:id/fund',
    { schema: { ...applicationMoneyAction, summary: 'Fund an application’s settlement wallet' } },
    handle,
  );
}
