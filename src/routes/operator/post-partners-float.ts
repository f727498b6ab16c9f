import type { ZodApp } from '#http/zod-app.ts';
import { fundFloat } from '#modules/wallets';
import { type FloatDeps, floatAction, floatHandler } from './float-action.ts';

export function postPartnersFloat(app: ZodApp, deps: FloatDeps): void {
  const handle = floatHandler(app, deps, 'POST /partners/:id/float', fundFloat);
  app.post('/partners/:id/float', { schema: { ...floatAction, summary: 'Fund a partner’s float' } }, handle);
}
