import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { settleFloat } from '#modules/wallets';
import { floatAction, runFloatAction } from './float-action.ts';

export function postPartnersSettlement(app: ZodApp, deps: DepsOf<typeof settleFloat>): void {
  app.post(
    '/partners/:id/settlement',
    { schema: { ...floatAction, summary: 'Take from a partner’s float what was paid out to it' } },
    async (request) => runFloatAction(deps, settleFloat, request),
  );
}
