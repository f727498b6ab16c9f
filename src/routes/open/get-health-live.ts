import type { ZodApp } from '#http/zod-app.ts';

/** Answers while the process turns. It asks nobody, so that a database that is away does not get us restarted. */
export function getHealthLive(app: ZodApp): void {
  app.get('/health/live', { logLevel: 'warn' }, async () => ({ status: 'live' }));
}
