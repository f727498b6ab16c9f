import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import { outageLogger } from '#lib/log.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { type Span, startSpan } from '#lib/tracing.ts';
import { createKeyOpener, type SigningKeys, urlOf } from '#modules/outbox';
import { type ClaimedDelivery, type ClaimedReceiver, claimDeliveries, handBack } from './claim.ts';
import { attemptLabel, attemptLine, attemptResult, type Backoff, type SendResult } from './outcome.ts';
import { type BreakerRules, createRecorder } from './record.ts';
import type { Sender } from './send.ts';
import { signedHeaders } from './sign.ts';

/** With more unrecorded results nothing is claimed. */
const UNRECORDED_MAX = 1_000;
/** While more may be due, a claim waits until this share of the slots is free, but no longer than BATCH_MS. */
const BATCH_SHARE = 0.5;
const BATCH_MS = 5;
/** How long deliveries are held whose stored rows were altered. */
const HELD_MS = 60_000;

export interface DispatcherOptions {
  pool: Pool;
  sender: Sender;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  securityLog: SecurityLog;
  backoff: Backoff;
  breaker: BreakerRules;
  /** How long a claim holds. Longer than sending and recording can take. */
  leaseMs: number;
  /** Deliveries in flight at once, and how many of them one receiver may have. */
  slots: number;
  perReceiver: number;
  /** Called when a delivery will be due, in milliseconds: call `pump` by then. */
  onDue: (inMs: number) => void;
  metrics?: Meter | undefined;
}

/** Sends due deliveries. One for each worker process. */
export interface Dispatcher {
  /**
   * Claims and sends while slots are free and deliveries are due, then resolves; never rejects. Called while it runs, it
   * claims once more. A slot that becomes free later is filled without a call.
   */
  readonly pump: () => Promise<void>;
  /** Stops claiming, hands back unsent claims, and resolves when every attempt in flight is recorded. */
  close(): Promise<void>;
}

/** Where the deliveries of a receiver go, and what they are signed with. */
interface Target {
  url: string;
  keys: SigningKeys;
}

/** Claim, sign, send, record. It is idle until `pump` is called. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, log, slots, perReceiver, leaseMs, onDue, metrics = noMeter } = options;
  const claiming = outageLogger(log, 'claiming webhook deliveries');
  const openKeys = createKeyOpener(options.keyring);
  const targets = new WeakMap<ClaimedReceiver, Target>();
  const held = new Map<string, number>(); // receivers whose rows were altered, and until when they are held
  let batching: NodeJS.Timeout | undefined;
  let sending = 0;
  let allSent: (() => void) | undefined; // waited for by `close`
  const inFlight = new Map<string, number>(); // by receiver: being sent, or failed and not recorded yet
  const inLanes = new Set<string>(); // deliveries whose end, once it is recorded, makes another one due
  let running: Promise<void> | undefined;
  let again = false;
  let mayBeMore = false; // something may be due that found no slot
  let slotFreed = false; // while a claim was under way
  let closing = false;

  const recorder = createRecorder({
    pool,
    breaker: options.breaker,
    leaseMs,
    log,
    metrics,
    written: (batch) => {
      const delays = batch.flatMap(({ retryInMs }) => (retryInMs === null ? [] : [retryInMs]));
      if (delays.length > 0) onDue(Math.min(...delays));
      const hasEnded = batch.filter(({ deliveryId }) => inLanes.delete(deliveryId)).length > 0;
      if (mayBeMore || hasEnded) void pump();
    },
  });

  function pump(): Promise<void> {
    again = true;
    clearTimeout(batching);
    batching = undefined;
    return (running ??= claimAndSend());
  }

  /** Ends in the tick of its last check of `again`, so that no call to `pump` is lost in between. */
  async function claimAndSend(): Promise<void> {
    await Promise.resolve(); // `running` is set from here on
    while (again) {
      if (closing) break;
      again = false;
      const limit = recorder.unrecorded < UNRECORDED_MAX ? slots - sending : 0;
      mayBeMore = limit <= 0;
      slotFreed = false;
      if (limit > 0) await claim(limit);
    }
    running = undefined;
  }

  async function claim(limit: number): Promise<void> {
    try {
      const result = await claimDeliveries(pool, { limit, perReceiver, inFlight: withHeld(), leaseMs });
      claiming.recovered();
      mayBeMore = result.mayBeMore;
      const now = options.clock.now();
      if (closing) await giveBack(result.claimed);
      else for (const [claimed, target] of await withTargets(result.claimed, now)) start(claimed, target, now);
      for (const { deliveryId, eventId, receiverId } of result.exhausted) {
        metrics.add('paytag_webhook_deliveries_failed_total', {});
        log.warn(
          { event: 'webhook.failed', deliveryId, eventId, receiverId, error: 'interrupted' },
          'a webhook failed: its fifth attempt was interrupted',
        );
      }
      if (closing) return;
      if (result.dueInMs !== null) onDue(result.dueInMs);
      const { claimed, exhausted, parked } = result;
      if (mayBeMore && (slotFreed || claimed.length + exhausted.length + parked > 0)) pumpInBatches();
    } catch (error) {
      claiming.failed(error);
    }
  }

  /** Hands back a claim that came during shutdown. If that fails, the leases end and the attempts count as interrupted. */
  async function giveBack(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const handedBack = await handBack(pool, claimed);
    if (handedBack > 0)
      log.info({ event: 'webhook.handed_back', deliveries: handedBack }, 'unsent webhooks were handed back');
  }

  /** A held receiver counts as having its maximum in flight, so nothing of it is claimed. */
  function withHeld(): ReadonlyMap<string, number> {
    for (const [receiverId, until] of held) if (until <= performance.now()) held.delete(receiverId);
    return held.size === 0
      ? inFlight
      : new Map([...inFlight, ...[...held.keys()].map((id) => [id, perReceiver] as const)]);
  }

  /** The deliveries that can be sent. Altered ones are held: handed back for later, without losing an attempt. */
  async function withTargets(claimed: readonly ClaimedDelivery[], now: Date): Promise<[ClaimedDelivery, Target][]> {
    const sendable: [ClaimedDelivery, Target][] = [];
    const altered: ClaimedDelivery[] = [];
    for (const one of claimed) {
      const target = authenticTarget(one, now);
      if (target === undefined) altered.push(one);
      else sendable.push([one, target]);
    }
    // If this fails, the leases end and the attempts count as interrupted.
    await handBack(pool, altered, HELD_MS).catch((error: unknown) => claiming.failed(error));
    return sendable;
  }

  /** Undefined, and logged as a security event, where the stored row of the receiver or delivery was altered. */
  function authenticTarget(claimed: ClaimedDelivery, now: Date): Target | undefined {
    const { deliveryId, receiverId, receiver, eventOf } = claimed;
    if (held.has(receiverId)) return undefined;
    try {
      const target = targetOf(receiver, now);
      // A row that another program wrote could send one owner's event to another owner.
      if (eventOf === receiverId || eventOf === receiver.route.defaultId) return target;
      throw new AlteredRecord('webhooks.delivery', [deliveryId]);
    } catch (error) {
      const isOfReceiver = !(error instanceof AlteredRecord) || targets.get(receiver) === undefined;
      if (isOfReceiver) held.set(receiverId, performance.now() + HELD_MS);
      if (error instanceof AlteredRecord) options.securityLog.record('stored_record_altered', { record: error.record });
      else {
        const reason = reasonOf(error);
        log.error(
          { event: 'webhook.keys_unreadable', receiverId, reason },
          'the keys of a webhook receiver cannot be opened',
        );
      }
      return undefined;
    }
  }

  /** Verified and opened once for all deliveries of a claim to this receiver. @throws AlteredRecord */
  function targetOf(receiver: ClaimedReceiver, now: Date): Target {
    const known = targets.get(receiver);
    if (known !== undefined) return known;
    const url = urlOf(options.keyring, receiver);
    if (url === null) throw new Error('claimed a delivery of a receiver without a URL');
    const target = { url, keys: openKeys(receiver, now) };
    targets.set(receiver, target);
    return target;
  }

  function start(claimed: ClaimedDelivery, target: Target, now: Date): void {
    const { deliveryId, receiverId, inLane } = claimed;
    if (inLane) inLanes.add(deliveryId);
    inFlight.set(receiverId, (inFlight.get(receiverId) ?? 0) + 1);
    sending += 1;
    void deliver(claimed, target, now);
  }

  async function deliver(claimed: ClaimedDelivery, target: Target, now: Date): Promise<void> {
    const claimedAt = performance.now();
    const span = startAttempt(claimed);
    const result = attemptResult(claimed, await send(claimed, target, now, span), options);
    const { error, status } = result;
    span?.set({ 'http.response.status_code': result.statusCode ?? undefined });
    span?.end(error === null ? undefined : attemptLabel(error));
    // A failure stays in flight until the breaker has counted it: otherwise a receiver that fails fast would lose its whole backlog.
    sending -= 1;
    if (error === null) endFlight(claimed.receiverId);
    else fillFreedSlot();
    recorder.add(result, error === null ? undefined : () => endFlight(claimed.receiverId));
    const level = status === 'FAILED' ? 'warn' : 'info';
    if (log.isLevelEnabled(level)) log[level](attemptLine(claimed, result), 'webhook attempt');
    metrics.add('paytag_webhook_attempts_total', { outcome: attemptLabel(error) });
    const ageMs = claimed.ageMs + performance.now() - claimedAt;
    if (status === 'DELIVERED') metrics.observe('paytag_webhook_delivery_duration_seconds', {}, ageMs / 1000);
    if (status === 'FAILED') metrics.add('paytag_webhook_deliveries_failed_total', {});
    if (sending === 0) allSent?.();
  }

  /** Never rejects. */
  function send(
    claimed: ClaimedDelivery,
    { url, keys }: Target,
    now: Date,
    span: Span | undefined,
  ): Promise<SendResult> {
    const { eventId, body, sequence, deliveryId } = claimed;
    try {
      const bytes = Buffer.from(body, 'utf8');
      const headers = signedHeaders(
        { eventId, body: bytes, sequence, traceparent: span?.traceparent ?? claimed.traceparent },
        keys,
        now,
      );
      return options.sender.send(url, headers, bytes);
    } catch (error) {
      log.error({ event: 'webhook.not_sent', deliveryId, reason: reasonOf(error) }, 'a webhook could not be sent');
      return Promise.resolve({
        statusCode: null,
        error: 'internal',
        response: null,
        retryAfter: undefined,
        durationMs: 0,
      });
    }
  }

  function endFlight(receiverId: string): void {
    const left = (inFlight.get(receiverId) ?? 1) - 1;
    if (left > 0) inFlight.set(receiverId, left);
    else inFlight.delete(receiverId);
    fillFreedSlot();
  }

  function fillFreedSlot(): void {
    slotFreed = true;
    if (mayBeMore) pumpInBatches();
  }

  /** Fills several free slots by one claim, which costs much less than one claim for each. */
  function pumpInBatches(): void {
    if (slots - sending >= slots * BATCH_SHARE) void pump();
    else if (!closing) batching ??= setTimeout(() => void pump(), BATCH_MS);
  }

  return {
    pump,
    async close() {
      closing = true;
      clearTimeout(batching);
      await running;
      if (sending > 0) await new Promise<void>((resolve) => (allSent = resolve));
      await recorder.close();
    },
  };
}

/** Without the error object, which may hold the URL. */
const reasonOf = (error: unknown): unknown => (error instanceof Error ? error.message : error);

/** A span of the trace that caused the event, or of a new trace. */
const startAttempt = ({ traceparent, number }: ClaimedDelivery): Span | undefined =>
  startSpan('webhook attempt', {
    kind: 'client',
    parent: traceparent ?? undefined,
    attributes: { 'http.request.method': 'POST', 'paytag.attempt': number },
  });
