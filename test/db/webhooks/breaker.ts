import { beforeEach } from 'vitest';
import {
  type AttemptResult,
  breakerRules,
  type ClaimedDelivery,
  claimDeliveries,
  getReceiver,
  recordAttempts,
} from '#modules/webhooks';
import { type TestOutbox, type TestReceiver, useOutbox } from '../../support/outbox.ts';

export const TARGET = 'https://partner.example/hook';
export const COOL_MS = 1_000;
export const LEASE_MS = 60_000;
export const rules = breakerRules(COOL_MS);

/** An attempt that has begun. */
export type Begun = Pick<AttemptResult, 'deliveryId' | 'number'>;

/** How it ended; a failure is due again at once. */
export const ended = ({ deliveryId, number }: Begun, delivered: boolean, askedMs = 0): AttemptResult => ({
  deliveryId,
  number,
  status: delivered ? 'DELIVERED' : 'PENDING',
  retryInMs: delivered ? null : 0,
  askedMs,
  statusCode: delivered ? 200 : 503,
  durationMs: 1,
  error: delivered ? null : 'status 503',
  response: null,
});

/** The only one of a claim. */
export function oneOf({ claimed }: { claimed: readonly ClaimedDelivery[] }): Begun {
  const [only] = claimed;
  if (only === undefined || claimed.length !== 1) throw new Error(`${claimed.length} were claimed, not one`);
  return only;
}

/** One receiver for each test, in an outbox of its own, and what is done to it at moments that are counted from `start`. */
export function useBreaker() {
  const outbox: TestOutbox = useOutbox();
  /** An hour ahead, so that it lies after whatever was emitted before. */
  const start = Date.now() + 3_600_000;
  let receiver: TestReceiver;
  beforeEach(async () => {
    await outbox.pool.query('truncate outbox.receiver cascade');
    receiver = await outbox.newReceiver(TARGET);
  });
  const at = (atMs: number) => new Date(start + atMs);

  const steps = {
    outbox,
    at,
    get receiver() {
      return receiver;
    },
    emit: (count: number) => outbox.emitTo(receiver, count),
    claim: (atMs: number, limit = 500) =>
      claimDeliveries(outbox.pool, {
        limit,
        perReceiver: limit,
        inFlight: new Map(),
        leaseMs: LEASE_MS,
        now: at(atMs),
      }),
    record: (atMs: number, outcomes: AttemptResult[]) =>
      recordAttempts(outbox.pool, outcomes, { rules, now: at(atMs) }),
    breakerAt: async (atMs: number) =>
      (await getReceiver(outbox.db, receiver.ownerId, { now: () => at(atMs) })).breaker,
    /** Opens it at 0, by ten of thirty events. */
    async open() {
      await steps.emit(30);
      const { claimed } = await steps.claim(0, 20);
      const changes = await steps.record(
        0,
        claimed.map((one) => ended(one, false)),
      );
      if (claimed.length !== 10 || changes[0]?.change !== 'OPENED') throw new Error('it did not open');
    },
  };
  return steps;
}
