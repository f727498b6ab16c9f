import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { outageLogger } from '#lib/outage-logger.ts';
import {
  type BreakerRules,
  type Claim,
  claimDue,
  createKeyOpener,
  type Outcome,
  recordOutcomes,
} from '#modules/outbox';
import type { Backoff } from './backoff.ts';
import { type DeliveryObserver, outcomeClass } from './observer.ts';
import { outcomeOf } from './outcome.ts';
import { createRecorder } from './recorder.ts';
import type { Sender, SendResult } from './send.ts';
import { signedHeaders } from './sign.ts';

/** Outcomes that may wait for the database before no more is claimed. */
const UNRECORDED_MAX = 1_000;

export interface DispatcherOptions {
  pool: Pool;
  sender: Sender;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  backoff: Backoff;
  breaker: BreakerRules;
  /** How long a claim holds. Longer than sending and recording can take. */
  leaseMs: number;
  /** Deliveries in flight at once, and how many of them one receiver may hold. */
  slots: number;
  perReceiver: number;
  /** Told when something will be due, in milliseconds: then, or sooner, `pump` is to be called. */
  onDue: (inMs: number) => void;
  /** Told what happens, for metrics. */
  observer?: DeliveryObserver | undefined;
}

/** Sends what is due. One for each worker process. */
export interface Dispatcher {
  /**
   * Claims and sends while slots are free and something is due; resolves when that is no longer so, and never rejects.
   * Called while it runs, it looks once more. A slot that falls free afterwards is filled by itself.
   */
  readonly pump: () => Promise<void>;
  /** Claims no more, and resolves when what is in flight has ended and is recorded. */
  close(): Promise<void>;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, log, slots, perReceiver, leaseMs, onDue } = options;
  const claiming = outageLogger(log, 'claiming webhook deliveries');
  const openKeys = createKeyOpener(options.keyring);
  const busy = new Map<string, number>(); // in flight, or failed and not recorded yet
  const inFlight = new Set<Promise<void>>();
  let running: Promise<void> | undefined;
  let again = false;
  let hungry = false; // something may be due that found no slot
  let freed = false; // a slot fell free while a claim was under way
  let closing = false;

  const recorder = createRecorder({
    write: record,
    written: (batch) => {
      const delays = batch.flatMap(({ retryInMs }) => (retryInMs === null ? [] : [retryInMs]));
      if (delays.length > 0) onDue(Math.min(...delays));
      if (hungry) void pump();
    },
    leaseMs,
    log,
  });

  async function record(batch: readonly Outcome[]): Promise<void> {
    for (const { receiverId, change } of await recordOutcomes(pool, batch, { rules: options.breaker })) {
      if (change === 'OPENED') options.observer?.breakerOpened();
      if (change === 'OPENED') log.warn({ receiverId }, 'webhook receiver keeps failing: its deliveries wait');
      else log.info({ receiverId }, 'webhook receiver answers again: its deliveries go out');
    }
  }

  function pump(): Promise<void> {
    again = true;
    return (running ??= claimAndSend());
  }

  /** Says that it has ended in the very moment it looks for the last time, so that no call to `pump` falls in between. */
  async function claimAndSend(): Promise<void> {
    await Promise.resolve(); // `running` is set from here on
    while (again) {
      if (closing) break;
      again = false;
      const limit = recorder.waiting < UNRECORDED_MAX ? slots - inFlight.size : 0;
      hungry = limit <= 0;
      freed = false;
      if (limit > 0) again = (await claim(limit)) || again;
    }
    running = undefined;
  }

  /** True when there may be more. */
  async function claim(limit: number): Promise<boolean> {
    try {
      const { claims, abandoned, dueInMs, crowded } = await claimDue(pool, { limit, perReceiver, busy, leaseMs });
      claiming.recovered();
      for (const taken of claims) start(taken);
      for (const { deliveryId, eventId, receiverId } of abandoned) {
        options.observer?.failed();
        log.warn({ deliveryId, eventId, receiverId, error: 'interrupted' }, 'webhook failed');
      }
      if (dueInMs !== null) onDue(dueInMs);
      hungry = crowded;
      if (crowded && freed) again = true;
      return claims.length + abandoned.length > 0;
    } catch (error) {
      claiming.failed(error);
      return false;
    }
  }

  function start(claimed: Claim): void {
    const { receiverId } = claimed;
    busy.set(receiverId, (busy.get(receiverId) ?? 0) + 1);
    const sending = deliver(claimed).finally(() => {
      inFlight.delete(sending);
      lookAgain();
    });
    inFlight.add(sending);
  }

  function leave(receiverId: string): void {
    const left = (busy.get(receiverId) ?? 1) - 1;
    if (left > 0) busy.set(receiverId, left);
    else busy.delete(receiverId);
    lookAgain();
  }

  function lookAgain(): void {
    freed = true;
    if (hungry) void pump();
  }

  async function deliver(claimed: Claim): Promise<void> {
    const takenAt = performance.now();
    const outcome = outcomeOf(claimed, await sendOnce(claimed), options);
    // A failure holds its place until the breaker has counted it: else one that fails at once is sent all it has meanwhile.
    if (outcome.error === null) leave(claimed.receiverId);
    recorder.add(outcome, outcome.error === null ? undefined : () => leave(claimed.receiverId));
    log[outcome.status === 'FAILED' ? 'warn' : 'info'](lineOf(claimed, outcome), 'webhook attempt');
    options.observer?.attempted(outcomeClass(outcome.error));
    if (outcome.status === 'DELIVERED') options.observer?.delivered(claimed.ageMs + performance.now() - takenAt);
    if (outcome.status === 'FAILED') options.observer?.failed();
  }

  async function sendOnce(claimed: Claim): Promise<SendResult> {
    try {
      const body = Buffer.from(claimed.body, 'utf8');
      const now = options.clock.now();
      const headers = signedHeaders({ ...claimed, body }, openKeys(claimed, now), now);
      return await options.sender.send(claimed.url, headers, body);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error; // the error itself may hold the URL
      log.error({ deliveryId: claimed.deliveryId, reason }, 'a webhook could not be sent');
      return { statusCode: null, error: 'internal', response: null, retryAfter: undefined, durationMs: 0 };
    }
  }

  return {
    pump,
    async close() {
      closing = true;
      await running;
      await Promise.all(inFlight);
      await recorder.close();
    },
  };
}

const lineOf = ({ eventId, receiverId }: Claim, outcome: Outcome) => ({
  deliveryId: outcome.deliveryId,
  eventId,
  receiverId,
  number: outcome.number,
  status: outcome.statusCode,
  durationMs: outcome.durationMs,
  error: outcome.error,
  delivery: outcome.status,
});
