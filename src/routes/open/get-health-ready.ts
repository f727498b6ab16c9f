import type { Drain } from '#http/drain.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { DatabaseTrouble } from '#lib/postgres/failures.ts';

/** A process whose machine's clock differs by more from the database's does not become ready; by less it says so. */
const CLOCK_MAX_MS = 60_000;
const CLOCK_REPORTED_ABOVE_MS = 5_000;

interface Deps {
  drain: Drain;
  machineAheadMs: () => number;
  databaseTrouble: () => Promise<DatabaseTrouble | undefined>;
}

/**
 * Answers 200 when requests can be served: the database answers, what is written there is kept, and this process is not about to
 * end. One that was ready once stays so when clocks part: it goes by the database's, and all might part at once.
 */
export function getHealthReady(app: ZodApp, { databaseTrouble, drain, machineAheadMs }: Deps): void {
  let wasReady = false;
  app.get('/health/ready', { logLevel: 'warn' }, async () => {
    if (drain.hasBegun) throw new DomainError('STORE_UNAVAILABLE', 'closing', { retryAfterS: 1 });
    if ((await databaseTrouble()) !== undefined) {
      throw new DomainError('STORE_UNAVAILABLE', 'the database serves no requests', { retryAfterS: 1 });
    }
    const aheadMs = machineAheadMs();
    const differsMs = Math.abs(aheadMs);
    const clock = `the clock of this machine is ${Math.round(differsMs / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database’s: set it right`;
    if (!wasReady && differsMs > CLOCK_MAX_MS) throw new DomainError('STORE_UNAVAILABLE', clock, { retryAfterS: 5 });
    wasReady = true;
    return { status: 'ready', ...(differsMs > CLOCK_REPORTED_ABOVE_MS ? { clock } : {}) };
  });
}
