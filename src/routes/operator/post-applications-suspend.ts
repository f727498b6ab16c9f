import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { applicationAction, runApplicationAction } from './application-action.ts';

export function postApplicationsSuspend(app: ZodApp, deps: DepsOf<typeof runApplicationAction>): void {
  app.post(
    '/applications/:id/suspend',
    {
      schema: {
        ...applicationAction,
        summary: 'Suspend an application: its next call is refused, whatever token it has',
      },
    },
    async (request) => runApplicationAction(deps, 'suspend', request),
  );
}
