import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fundApplication } from '#modules/applications';
import { applicationMoneyAction, runApplicationMoneyAction } from './application-money-action.ts';

export function postApplicationsFund(app: ZodApp, deps: DepsOf<typeof fundApplication>): void {
  app.post(
    '/applications/:id/fund',
    { schema: { ...applicationMoneyAction, summary: 'Fund an application’s settlement wallet' } },
    async (request) => runApplicationMoneyAction(deps, fundApplication, request),
  );
}
