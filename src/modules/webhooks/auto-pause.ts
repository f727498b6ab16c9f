import type { Logger } from 'pino';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { findLongFailing, pauseIfFailing } from '#modules/outbox';

/** In one round at most; what is left waits for the next. */
const ROUND_MAX = 100;

/**
 * Pauses receivers whose attempts have failed for WEBHOOK_AUTO_PAUSE_AFTER_H hours without one success: audited, logged,
 * counted. Their events are kept, and go out when somebody resumes them. 0 hours: never.
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
  metrics: { webhooks: { autoPaused(): void } };
}): Promise<void> {
  const hours = webhooks.autoPauseAfterH;
  if (hours === 0) return;
  for (const ownerId of await findLongFailing(db, hours, ROUND_MAX)) {
    const paused = await transact(async (tx) => {
      const change = await pauseIfFailing(tx, ownerId, hours);
      if (change === undefined) return undefined;
      const { before, after } = change;
      await recordChange(tx, {
        actor: 'system',
        action: 'receiver.pause',
        target: ownerId,
        before: { status: before.status },
        after: { status: after.status },
        reason: after.pauseReason ?? undefined,
      });
      return after;
    });
    if (paused === undefined) continue;
    metrics.webhooks.autoPaused();
    log.warn(
      { receiverId: paused.id, ownerId, reason: paused.pauseReason },
      'webhook receiver paused: resume it when it is well',
    );
  }
}
