import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { pause } from './pause-receiver.ts';
import { selectLongFailing } from './receiver-store.ts';

/** In one call at most; what is left waits for the next. */
const RECEIVERS_MAX = 100;

/**
 * Pauses receivers whose attempts have failed for `autoPauseAfterH` hours without one success: audited, logged, counted.
 * Their deliveries are held, and go out when somebody resumes them. 0 hours: never.
 */
export async function autoPause({
  transact,
  db,
  webhooks,
  log,
  metrics,
}: {
  db: Database;
  transact: Transact;
  webhooks: { autoPauseAfterH: number };
  log: Logger;
  metrics: Meter;
}): Promise<void> {
  const hours = webhooks.autoPauseAfterH;
  if (hours === 0) return;
  for (const { ownerId, receiverId } of await selectLongFailing(db, hours, { limit: RECEIVERS_MAX })) {
    const paused = await transact(async (tx) => {
      const [failing] = await selectLongFailing(tx, hours, { limit: 1, receiverId }); // it may have recovered since
      if (failing === undefined) return undefined;
      const reason = `no delivery has succeeded since ${failing.failingSince.toISOString()}`;
      const hasPaused = await pause(tx, { actor: 'system', by: 'SYSTEM', ownerId, endpointId: receiverId, reason });
      return hasPaused ? { receiverId, reason } : undefined;
    });
    if (paused === undefined) continue;
    metrics.add('paytag_webhook_auto_pauses_total', {});
    log.warn({ ...paused, ownerId }, 'webhook receiver paused: resume it when it is well');
  }
}
