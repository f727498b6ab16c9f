import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fundFloat } from '#modules/wallets';
import { floatAction, runFloatAction } from './float-action.ts';

export function postPartnersFloat(app: ZodApp, deps: DepsOf<typeof fundFloat>): void {
  app.post('/partners/:id/float', { schema: { ...floatAction, summary: 'Fund a partner’s float' } }, async (request) =>
    runFloatAction(deps, fundFloat, request),
  );
}
