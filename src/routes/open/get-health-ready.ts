import type { Pool } from 'pg';
import type { Drain } from '#http/drain.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';

/** Answers 200 when requests can be served: the database answers and this process is not about to end. */
export function getHealthReady(app: ZodApp, { pool, drain }: { pool: Pool; drain: Drain }): void {
  app.get('/health/ready', { logLevel: 'warn' }, async () => {
    if (drain.hasBegun) throw new DomainError('STORE_UNAVAILABLE', 'closing', { retryAfterS: 1 });
    await pool.query('select 1');
    return { status: 'ready' };
  });
}
