import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { partnerAction, runPartnerAction } from './partner-action.ts';

export function postPartnersRestore(app: ZodApp, deps: DepsOf<typeof runPartnerAction>): void {
  app.post(
    '/partners/:id/restore',
    { schema: { ...partnerAction, summary: 'Give a suspended partner back' } },
    async (request) => runPartnerAction(deps, 'restore', request),
  );
}
