import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { lockReceiver } from '#modules/outbox';
import { getReceiver, type ReceiverHealth } from './get-receiver.ts';
import { endPause, insertPause, selectPause } from './pause-store.ts';
import { deleteBreaker, type PauseRow } from './receiver-store.ts';

/** Whose receiver, who asks, and in what capacity: an operator's word stands over its owner's. */
interface PauseRequest {
  actor: string;
  by: PauseRow['pausedBy'];
  ownerId: string;
  /** Without one, its default endpoint. */
  endpointId?: string | undefined;
}

/**
 * Sends nothing more to a receiver until it is resumed; its deliveries are held, and what is in flight ends as it does.
 * Audited. Pausing a paused one changes nothing, except that an operator's pause takes the place of another's.
 *
 * @throws DomainError RECEIVER_NOT_FOUND, ENDPOINT_NOT_FOUND
 */
export async function pauseReceiver(
  { transact, clock }: { transact: Transact; clock: Clock },
  request: PauseRequest & { reason: string },
): Promise<ReceiverHealth> {
  return transact(async (tx) => {
    await pause(tx, request);
    return getReceiver(tx, request.ownerId, clock, request.endpointId);
  });
}

/** The same within a transaction. True when it changed something. */
export async function pause(
  tx: Tx,
  { actor, by, ownerId, endpointId, reason }: PauseRequest & { reason: string },
): Promise<boolean> {
  const receiver = await lockReceiver(tx, { ownerId, endpointId });
  const inForce = await selectPause(tx, receiver.id);
  if (inForce !== undefined && (by !== 'OPERATOR' || inForce.pausedBy === 'OPERATOR')) return false;
  await insertPause(tx, receiver.id, by, reason);
  await recordChange(tx, {
    actor,
    action: 'receiver.pause',
    target: ownerId,
    before: { status: inForce === undefined ? 'ACTIVE' : 'PAUSED' },
    after: { status: 'PAUSED', ...besideDefault(receiver) },
    reason,
  });
  return true;
}

/**
 * Sends to a receiver again, what was held for it included, as if it had never failed: its breaker is closed too. Audited.
 * Resuming one that is not paused closes its breaker.
 *
 * @throws DomainError RECEIVER_NOT_FOUND, ENDPOINT_NOT_FOUND, RECEIVER_PAUSED_BY_OPERATOR: its owner cannot end an operator's pause
 */
export async function resumeReceiver(
  { transact, clock }: { transact: Transact; clock: Clock },
  { actor, by, ownerId, endpointId, reason }: PauseRequest & { by: 'OPERATOR' | 'OWNER'; reason?: string | undefined },
): Promise<ReceiverHealth> {
  return transact(async (tx) => {
    const receiver = await lockReceiver(tx, { ownerId, endpointId });
    const inForce = await selectPause(tx, receiver.id);
    if (inForce?.pausedBy === 'OPERATOR' && by !== 'OPERATOR') {
      throw new DomainError('RECEIVER_PAUSED_BY_OPERATOR', 'the operator paused this receiver and has to resume it');
    }
    if (inForce !== undefined) {
      await endPause(tx, receiver.id);
      await recordChange(tx, {
        actor,
        action: 'receiver.resume',
        target: ownerId,
        before: { status: 'PAUSED', reason: inForce.reason },
        after: { status: 'ACTIVE', ...besideDefault(receiver) },
        reason,
      });
    }
    await deleteBreaker(tx, receiver.id);
    wakeAfterCommit(tx);
    return getReceiver(tx, ownerId, clock, endpointId);
  });
}

/** What the audit log says of an endpoint that is not the default one. */
const besideDefault = ({ id, defaultId }: { id: string; defaultId: string | null }) =>
  defaultId === null ? {} : { endpoint: id };
