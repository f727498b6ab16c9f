import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A shutdown that takes longer is cut short. Counts from when the ports close. */
export const SHUTDOWN_MAX_MS = 30_000;

/** After this, connections whose requests have not arrived are closed. */
const ARRIVAL_MAX_MS = 20_000;

/** Whether this process is about to end. It still serves; readiness is 503, and each answer closes its connection. */
export interface Drain {
  readonly hasBegun: boolean;
  begin(): void;
}

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

/** Begins to drain and serves for the delay, until the load balancer sends requests elsewhere. */
export async function letOthersTakeOver(drain: Drain, delayMs: number): Promise<void> {
  drain.begin();
  if (delayMs > 0) await sleep(delayMs);
}

/** Closes the connection with each answer while the process drains: a kept one would break under its next request. */
export function closeConnectionsWhenDraining(app: FastifyInstance, drain: Drain): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.hasBegun) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('preClose', async () => drain.begin());
}

/**
 * Closes servers once they have answered the requests under way. A closing server of Node no longer times out a request that arrives
 * in part, so the connections are closed after a while.
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
