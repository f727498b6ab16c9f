import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { previewReplay, type Replayed, type ReplayRequest, replayDeliveries } from '#modules/outbox';

/** In the audit log, what stands for all receivers. */
const EVERYBODY = 'deliveries';

export interface Replay extends ReplayRequest {
  actor: string;
  /** Only says what would be replayed. */
  dryRun: boolean;
  reason?: string | undefined;
}

/**
 * Replays the deliveries that match a filter, on the word of an operator or of their owner.
 *
 * @throws DomainError BUSY while another replay of the same deliveries runs
 */
export async function replay(
  { transact, db }: { db: Database; transact: Transact },
  { actor, dryRun, reason, ...request }: Replay,
): Promise<Replayed & { dryRun: boolean }> {
  if (dryRun) return { dryRun, ...(await previewReplay(db, request)) };
  const done = await transact(async (tx) => {
    const replayed = await replayDeliveries(tx, request);
    if (replayed.replayed > 0) {
      await recordChange(tx, {
        actor,
        action: 'delivery.replay',
        target: request.partnerId ?? request.applicationId ?? EVERYBODY,
        after: { ...request, matched: replayed.matched, replayed: replayed.replayed },
        reason,
      });
    }
    return replayed;
  });
  return { dryRun, ...done };
}
