import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { settleApplication } from '#modules/applications';
import { applicationMoneyAction, runApplicationMoneyAction } from './application-money-action.ts';

export function postApplicationsSettlement(app: ZodApp, deps: DepsOf<typeof settleApplication>): void {
  app.post(
    '/applications/:id/settlement',
    {
      schema: {
        ...applicationMoneyAction,
        summary: 'Take from an application’s settlement wallet what was paid out to it',
      },
    },
    async (request) => runApplicationMoneyAction(deps, settleApplication, request),
  );
}
