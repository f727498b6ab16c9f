import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { partnerAction, runPartnerAction } from './partner-action.ts';

export function postPartnersSuspend(app: ZodApp, deps: DepsOf<typeof runPartnerAction>): void {
  app.post(
    '/partners/:id/suspend',
    {
      schema: {
        ...partnerAction,
        summary: 'Suspend a partner: its next call is refused, whatever key it has, and those of its customers there',
      },
    },
    async (request) => runPartnerAction(deps, 'suspend', request),
  );
}
