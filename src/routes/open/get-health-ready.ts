import type { Pool } from 'pg';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';

/** Answers 200 when requests can be served: the database answers and we are not closing. */
export function getHealthReady(app: ZodApp, { pool }: { pool: Pool }): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.get('/health/ready', { logLevel: 'warn' }, async () => {
    if (closing) throw new DomainError('STORE_UNAVAILABLE', 'closing', { retryAfterS: 1 });
    await pool.query('select 1');
    return { status: 'ready' };
  });
}
