import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** After this a shutdown that hangs is given up. It counts from when the ports close. */
export const SHUTDOWN_MAX_MS = 30_000;

/** After this, connections whose requests have not even arrived are ended. */
const ARRIVAL_MAX_MS = 20_000;

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

/**
 * Closes servers, once they have answered what was under way. Node looks for requests that never arrive no more once a server
 * closes: whoever sent half of one would keep it open for ever.
 */
export async function closeServers(
  apps: readonly Pick<FastifyInstance, 'close' | 'server'>[],
  arrivalMaxMs = ARRIVAL_MAX_MS,
): Promise<void> {
  const cutOff = setTimeout(() => {
    for (const { server } of apps) server.closeAllConnections();
  }, arrivalMaxMs);
  try {
    await Promise.all(apps.map((app) => app.close()));
  } finally {
    clearTimeout(cutOff);
  }
}
