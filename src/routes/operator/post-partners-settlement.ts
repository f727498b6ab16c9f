import type { ZodApp } from '#http/zod-app.ts';
import { settleFloat } from '#modules/wallets';
import { type FloatDeps, floatAction, floatHandler } from './float-action.ts';

export function postPartnersSettlement(app: ZodApp, deps: FloatDeps): void {
  const handle = floatHandler(app, deps, 'POST /partners/:id/settlement', settleFloat);
  app.post(
    '/partners/:id/settlement',
    { schema: { ...floatAction, summary: 'Take from a partner’s float what was paid out to it' } },
    handle,
  );
}
