import type { ZodApp } from '#http/zod-app.ts';

/** Answers while the process runs. It calls nothing, so an unavailable database does not cause a restart. */
export function getHealthLive(app: ZodApp): void {
  app.get('/health/live', { logLevel: 'warn' }, async () => ({ status: 'live' }));
}
