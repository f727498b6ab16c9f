import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { outageLogger } from '#lib/outage-logger.ts';
import { createKeyOpener } from '#modules/outbox';
import { type AttemptResult, attemptResult } from './attempt-result.ts';
import type { Backoff } from './backoff.ts';
import type { BreakerRules } from './breaker.ts';
import { type ClaimedDelivery, claimDeliveries } from './claim-deliveries.ts';
import { attemptLabel, type DeliveryObserver } from './observer.ts';
import { recordAttempts } from './record-attempts.ts';
import { createRecorder } from './recorder.ts';
import type { Sender, SendResult } from './send.ts';
import { signedHeaders } from './sign.ts';

/** Results that may wait for the database before no more is claimed. */
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
  /** Deliveries in flight at once, and how many of them one receiver may have. */
  slots: number;
  perReceiver: number;
  /** Called when something will be due, in milliseconds: then, or sooner, `pump` is to be called. */
  onDue: (inMs: number) => void;
  /** For metrics. */
  observer?: DeliveryObserver | undefined;
}

/** Sends what is due. One for each worker process. */
export interface Dispatcher {
  /**
   * Claims and sends while slots are free and something is due; resolves when that is no longer so, and never rejects.
   * Called while it runs, it looks once more. A slot that falls free later is filled without a call.
   */
  readonly pump: () => Promise<void>;
  /** Claims no more, and resolves when what is in flight has ended and is recorded. */
  close(): Promise<void>;
}

/** Makes the dispatcher of this process. It is idle until `pump` is called. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, log, slots, perReceiver, leaseMs, onDue, observer } = options;
  const claiming = outageLogger(log, 'claiming webhook deliveries');
  const openKeys = createKeyOpener(options.keyring);
  const sending = new Set<Promise<void>>();
  const inFlight = new Map<string, number>(); // by receiver: being sent, or failed and not recorded yet
  let running: Promise<void> | undefined;
  let again = false;
  let mayBeMore = false; // something may be due that found no slot
  let slotFreed = false; // while a claim was under way
  let closing = false;

  const recorder = createRecorder({
    write: record,
    written: (batch) => {
      const delays = batch.flatMap(({ retryInMs }) => (retryInMs === null ? [] : [retryInMs]));
      if (delays.length > 0) onDue(Math.min(...delays));
      if (mayBeMore) void pump();
    },
    leaseMs,
    log,
  });

  async function record(batch: readonly AttemptResult[]): Promise<void> {
    for (const { receiverId, change } of await recordAttempts(pool, batch, { rules: options.breaker })) {
      if (change === 'OPENED') observer?.breakerOpened();
      if (change === 'OPENED') log.warn({ receiverId }, 'webhook receiver keeps failing: its deliveries wait');
      else log.info({ receiverId }, 'webhook receiver answers again: its deliveries go out');
    }
  }

  function pump(): Promise<void> {
    again = true;
    return (running ??= claimAndSend());
  }

  /** Ends in the same tick in which it looks for the last time, so that no call to `pump` falls in between. */
  async function claimAndSend(): Promise<void> {
    await Promise.resolve(); // `running` is set from here on
    while (again) {
      if (closing) break;
      again = false;
      const limit = recorder.waiting < UNRECORDED_MAX ? slots - sending.size : 0;
      mayBeMore = limit <= 0;
      slotFreed = false;
      if (limit > 0) again = (await claim(limit)) || again;
    }
    running = undefined;
  }

  /** True when there may be more. */
  async function claim(limit: number): Promise<boolean> {
    try {
      const result = await claimDeliveries(pool, { limit, perReceiver, inFlight, leaseMs });
      claiming.recovered();
      for (const claimed of result.claimed) start(claimed);
      for (const { deliveryId, eventId, receiverId } of result.exhausted) {
        observer?.failed();
        log.warn({ deliveryId, eventId, receiverId, error: 'interrupted' }, 'webhook failed');
      }
      if (result.dueInMs !== null) onDue(result.dueInMs);
      mayBeMore = result.mayBeMore;
      if (mayBeMore && slotFreed) again = true;
      return result.claimed.length + result.exhausted.length > 0;
    } catch (error) {
      claiming.failed(error);
      return false;
    }
  }

  function start(claimed: ClaimedDelivery): void {
    const { receiverId } = claimed;
    inFlight.set(receiverId, (inFlight.get(receiverId) ?? 0) + 1);
    const delivering = deliver(claimed).finally(() => {
      sending.delete(delivering);
      fillFreedSlot();
    });
    sending.add(delivering);
  }

  function endFlight(receiverId: string): void {
    const left = (inFlight.get(receiverId) ?? 1) - 1;
    if (left > 0) inFlight.set(receiverId, left);
    else inFlight.delete(receiverId);
    fillFreedSlot();
  }

  function fillFreedSlot(): void {
    slotFreed = true;
    if (mayBeMore) void pump();
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const claimedAt = performance.now();
    const result = attemptResult(claimed, await send(claimed), options);
    const end = () => endFlight(claimed.receiverId);
    // A failure stays in flight until the breaker has counted it: otherwise one that fails at once is sent its whole backlog.
    if (result.error === null) end();
    recorder.add(result, result.error === null ? undefined : end);
    log[result.status === 'FAILED' ? 'warn' : 'info'](attemptLine(claimed, result), 'webhook attempt');
    observer?.attempted(attemptLabel(result.error));
    if (result.status === 'DELIVERED') observer?.delivered(claimed.ageMs + performance.now() - claimedAt);
    if (result.status === 'FAILED') observer?.failed();
  }

  async function send(claimed: ClaimedDelivery): Promise<SendResult> {
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
      await Promise.all(sending);
      await recorder.close();
    },
  };
}

const attemptLine = ({ eventId, receiverId }: ClaimedDelivery, result: AttemptResult) => ({
  deliveryId: result.deliveryId,
  eventId,
  receiverId,
  number: result.number,
  status: result.statusCode,
  durationMs: result.durationMs,
  error: result.error,
  delivery: result.status,
});
