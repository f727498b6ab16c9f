import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { applicationAction, runApplicationAction } from './application-action.ts';

export function postApplicationsRestore(app: ZodApp, deps: DepsOf<typeof runApplicationAction>): void {
  app.post(
    '/applications/:id/restore',
    { schema: { ...applicationAction, summary: 'Give a suspended application back' } },
    async (request) => runApplicationAction(deps, 'restore', request),
  );
}
