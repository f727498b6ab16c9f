import type { Clock } from '#lib/clock.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { getReceiver, type ReceiverHealth, setActive, setPaused } from '#modules/outbox';

/** Whose receiver, who says so, and in what capacity: its owner's word ends where an operator's begins. */
interface PauseRequest {
  actor: string;
  by: 'OPERATOR' | 'OWNER';
  ownerId: string;
}

/**
 * Sends nothing more to a receiver until it is resumed; its events are kept. Audited. Pausing a paused one changes
 * nothing, except that an operator's pause takes the place of another's.
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function pauseReceiver(
  { transact, clock }: { transact: Transact; clock: Clock },
  { actor, by, ownerId, reason }: PauseRequest & { reason: string },
): Promise<ReceiverHealth> {
  return transact(async (tx) => {
    const { before, after } = await setPaused(tx, ownerId, { by, reason });
    if (before !== after) {
      const change = { before: { status: before.status }, after: { status: after.status }, reason };
      await recordChange(tx, { actor, action: 'receiver.pause', target: ownerId, ...change });
    }
    return getReceiver(tx, ownerId, clock);
  });
}

/**
 * Sends to a receiver again, what was kept for it first of all, as if it had never failed: its breaker is closed too.
 * Audited. Resuming one that is not paused closes its breaker.
 *
 * @throws DomainError RECEIVER_NOT_FOUND, RECEIVER_PAUSED_BY_OPERATOR
 */
export async function resumeReceiver(
  { transact, clock }: { transact: Transact; clock: Clock },
  { actor, by, ownerId, reason }: PauseRequest & { reason?: string | undefined },
): Promise<ReceiverHealth> {
  return transact(async (tx) => {
    const { before, after } = await setActive(tx, { ownerId, by });
    if (before !== after) {
      const change = { before: { status: before.status, reason: before.pauseReason }, after: { status: after.status } };
      await recordChange(tx, {
        actor,
        action: 'receiver.resume',
        target: ownerId,
        ...change,
        reason,
      });
    }
    return getReceiver(tx, ownerId, clock);
  });
}
