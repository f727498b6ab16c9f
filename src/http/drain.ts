import { setTimeout as sleep } from 'node:timers/promises';

/** After this a shutdown that hangs is given up. It counts from when the ports close. */
export const SHUTDOWN_MAX_MS = 30_000;

/** Whether this process is about to end. It serves as before; readiness says no, and each answer ends its connection. */
export interface Drain {
  readonly hasBegun: boolean;
  begin(): void;
}

/** Of a process that is to stay. */
export function createDrain(): Drain {
  let hasBegun = false;
  return {
    get hasBegun() {
      return hasBegun;
    },
    begin() {
      hasBegun = true;
    },
  };
}

/**
 * Says that this process is not ready any more and goes on serving for so long, until whoever spreads requests has seen it
 * and sends them elsewhere.
 */
export async function letOthersTakeOver(drain: Drain, delayMs: number): Promise<void> {
  drain.begin();
  if (delayMs > 0) await sleep(delayMs);
}
