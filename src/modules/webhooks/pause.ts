import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { lockReceiver } from '#modules/outbox';
import { getReceiver, type ReceiverHealth } from './read-receivers.ts';
import {
  deleteBreaker,
  endPause,
  insertPause,
  type PauseRow,
  releaseHeldOf,
  selectLongFailing,
  selectPause,
  selectReleasing,
} from './receiver-store.ts';

/** `by` is the capacity of the actor: an operator's pause outranks the owner's. */
interface PauseRequest {
  actor: string;
  by: PauseRow['pausedBy'];
  ownerId: string;
  /** By default the default endpoint. */
  endpointId?: string | undefined;
}

/**
 * Holds the deliveries of a receiver until it is resumed. Attempts in flight end normally. Audited. Pausing twice changes
 * nothing, but an operator's pause replaces another's.
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

/** The same within a transaction. False if it changed nothing. */
async function pause(
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
    after: { status: 'PAUSED', ...endpointIfNotDefault(receiver) },
    reason,
  });
  return true;
}

/**
 * Releases the held deliveries of a receiver and closes its breaker, paused or not. Audited.
 *
 * @throws DomainError RECEIVER_NOT_FOUND, ENDPOINT_NOT_FOUND, RECEIVER_PAUSED_BY_OPERATOR: only an operator ends an operator's pause
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
        after: { status: 'ACTIVE', ...endpointIfNotDefault(receiver) },
        reason,
      });
    }
    await deleteBreaker(tx, receiver.id);
    wakeAfterCommit(tx);
    return getReceiver(tx, ownerId, clock, endpointId);
  });
}

/** For the audit log. */
const endpointIfNotDefault = ({ id, defaultId }: { id: string; defaultId: string | null }) =>
  defaultId === null ? {} : { endpoint: id };

/** The most receivers in one call. The next call takes the rest. */
const RECEIVERS_MAX = 100;

/**
 * Pauses receivers whose attempts have failed for `autoPauseAfterH` hours without one success; 0 hours: none. Audited, logged,
 * counted. Their deliveries are held until an operator or the owner resumes them.
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
    log.warn(
      { event: 'receiver.auto_paused', ...paused, ownerId },
      'a webhook receiver was paused: resume it once it works',
    );
  }
}

/**
 * Makes held deliveries due for receivers that were resumed or now have a URL: up to `limit` of each receiver, in one short
 * transaction each, because these lock the receiver against new events.
 *
 * @returns how many; 0: there are no more
 */
export async function releaseHeld(
  { db, transact }: { db: Database; transact: Transact },
  limit: number,
): Promise<number> {
  let released = 0;
  for (const id of await selectReleasing(db, RECEIVERS_MAX)) {
    released += await transact(async (tx) => {
      const due = await releaseHeldOf(tx, id, limit);
      if (due > 0) wakeAfterCommit(tx);
      return due;
    });
  }
  return released;
}

/** For one receiver in one transaction. */
const RELEASED_MAX = 500;

/** The next run continues. */
const BATCHES_MAX = 40;

/**
 * Releases held deliveries in batches. Safe in any number of processes at once.
 *
 * @param closing aborted on shutdown: no further batch begins
 */
export async function maintainWebhooks(
  deps: { db: Database; transact: Transact },
  closing?: AbortSignal,
): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    if (closing?.aborted === true || (await releaseHeld(deps, RELEASED_MAX)) === 0) return;
  }
}
