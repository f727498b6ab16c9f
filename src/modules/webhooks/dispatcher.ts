import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { AlteredRecord } from '#lib/crypto/sealed-column.ts';
import { outageLogger } from '#lib/log.ts';
import { type Meter, metricList, noMeter } from '#lib/meter.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { type Span, startSpan } from '#lib/tracing.ts';
import { createKeyOpener, type SigningKeys, urlOf } from '#modules/outbox';
import { type AttemptResult, attemptLine, attemptResult } from './attempt-result.ts';
import type { Backoff } from './backoff.ts';
import type { BreakerRules } from './breaker.ts';
import { type ClaimedDelivery, type ClaimedReceiver, claimDeliveries } from './claim-deliveries.ts';
import { recordAttempts } from './record-attempts.ts';
import { createRecorder } from './recorder.ts';
import type { Sender, SendResult } from './send.ts';
import { signedHeaders } from './sign.ts';

// $1 and $2 the deliveries and the numbers of their attempts, $3 in how many milliseconds they are due. In the order in which results lock: deliveries first, then breakers.
//
// What the claim moved to the earlier attempts comes back into the delivery, for there its latest attempt stands. A delivery
// that has moved on is left alone.
const HAND_BACK = `
with held as materialized (
  select d.id, d.receiver_id, d.attempts from webhooks.delivery d
    join unnest($1::uuid[], $2::int[]) as x (id, number) on x.id = d.id and x.number = d.attempts
   where d.status is not distinct from 'PENDING' and d.last_duration_ms is null and d.last_attempt_error is null
   order by d.id for update of d),
latest as (
  delete from webhooks.attempt a using held h where a.delivery_id = h.id and a.number = h.attempts - 1 returning a.*),
handed_back as (
  update webhooks.delivery d
     set attempts = d.attempts - 1, leased_until = null,
         due_at = case when $3::int > 0 then now() + $3::int * interval '1 millisecond' else d.due_at end, last_attempt_at = l.at, last_status_code = l.status_code,
         last_duration_ms = l.duration_ms, last_attempt_error = l.error, last_response = l.response, last_url = l.url, updated_at = now()
    from held h left join latest l on l.delivery_id = h.id where d.id = h.id
  returning d.id),
probe_again as (
  update webhooks.breaker set probing = false, open_until = now()
   where probing and receiver_id = any (array(select receiver_id from held)))
select count(*)::int as count from handed_back`;

/**
 * Hands back deliveries that were claimed and not sent: the attempt that was begun does not count.
 *
 * @param inMs when they are due again
 * @returns how many
 */
async function handBack(
  pool: Pool,
  claimed: readonly Pick<ClaimedDelivery, 'deliveryId' | 'number'>[],
  inMs = 0,
): Promise<number> {
  if (claimed.length === 0) return 0;
  const values = [claimed.map(({ deliveryId }) => deliveryId), claimed.map(({ number }) => number), inMs];
  const { rows } = await pool.query<{ count: number }>({ name: 'webhooks-hand-back', text: HAND_BACK, values });
  return rows[0]?.count ?? 0;
}

const labels = metricList.paytag_webhook_attempts_total.labels.outcome;

/** How a webhook attempt ended, in few words: a label of metrics. */
type AttemptLabel = (typeof labels)[number];

const byError: ReadonlyMap<string, AttemptLabel> = new Map([
  ...labels.map((label) => [label, label] as const),
  ['blocked target', 'blocked'],
]);
const STATUS = /^status ([2345])\d\d$/;

/** The label of an attempt's error, null being none. */
export function attemptLabel(error: string | null): AttemptLabel {
  if (error === null) return 'delivered';
  const [, hundreds] = STATUS.exec(error) ?? [];
  if (hundreds !== undefined) return `status_${hundreds as '2' | '3' | '4' | '5'}xx`;
  return error.startsWith('status ') ? 'status_other' : (byError.get(error) ?? 'other');
}

/** Results that may wait for the database before no more is claimed. */
const UNRECORDED_MAX = 1_000;
/** While more may be due, a claim waits for this share of the slots to be free, but no longer than this. */
const GATHERED = 0.5;
const GATHER_MS = 5;
/** When what was held, because it is not as we stored it, is looked at again. */
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
  /** Called when something will be due, in milliseconds: then, or sooner, `pump` is to be called. */
  onDue: (inMs: number) => void;
  metrics?: Meter | undefined;
}

/** Sends what is due. One for each worker process. */
export interface Dispatcher {
  /**
   * Claims and sends while slots are free and something is due; resolves when that is no longer so, and never rejects.
   * Called while it runs, it looks once more. A slot that falls free later is filled without a call.
   */
  readonly pump: () => Promise<void>;
  /** Claims no more, hands back what is claimed and not sent, and resolves when what is in flight has ended and is recorded. */
  close(): Promise<void>;
}

/** Makes the dispatcher of this process. It is idle until `pump` is called. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { pool, log, slots, perReceiver, leaseMs, onDue, metrics = noMeter } = options;
  const claiming = outageLogger(log, 'claiming webhook deliveries');
  const openKeys = createKeyOpener(options.keyring);
  const targets = new WeakMap<ClaimedReceiver, Target>();
  const held = new Map<string, number>(); // receivers that are not as we stored them, until they are looked at again
  const gathered = slots * GATHERED;
  let gathering: NodeJS.Timeout | undefined;
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
    write: record,
    written: (batch) => {
      const delays = batch.flatMap(({ retryInMs }) => (retryInMs === null ? [] : [retryInMs]));
      if (delays.length > 0) onDue(Math.min(...delays));
      const hasEnded = batch.filter(({ deliveryId }) => inLanes.delete(deliveryId)).length > 0;
      if (mayBeMore || hasEnded) void pump();
    },
    leaseMs,
    log,
  });

  async function record(batch: readonly AttemptResult[]): Promise<void> {
    for (const { receiverId, change } of await recordAttempts(pool, batch, { rules: options.breaker })) {
      if (change === 'OPENED') metrics.add('paytag_webhook_breakers_opened_total', {});
      if (change === 'OPENED') log.warn({ receiverId }, 'webhook receiver keeps failing: its deliveries wait');
      else log.info({ receiverId }, 'webhook receiver answers again: its deliveries go out');
    }
  }

  function pump(): Promise<void> {
    again = true;
    clearTimeout(gathering);
    gathering = undefined;
    return (running ??= claimAndSend());
  }

  /** Ends in the same tick in which it looks for the last time, so that no call to `pump` falls in between. */
  async function claimAndSend(): Promise<void> {
    await Promise.resolve(); // `running` is set from here on
    while (again) {
      if (closing) break;
      again = false;
      const limit = recorder.waiting < UNRECORDED_MAX ? slots - sending : 0;
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
      else for (const [claimed, target] of await soundOf(result.claimed, now)) start(claimed, target, now);
      for (const { deliveryId, eventId, receiverId } of result.exhausted) {
        metrics.add('paytag_webhook_deliveries_failed_total', {});
        log.warn({ deliveryId, eventId, receiverId, error: 'interrupted' }, 'webhook failed');
      }
      if (closing) return;
      if (result.dueInMs !== null) onDue(result.dueInMs);
      const { claimed, exhausted, parked } = result;
      if (mayBeMore && (slotFreed || claimed.length + exhausted.length + parked > 0)) gather();
    } catch (error) {
      claiming.failed(error);
    }
  }

  /** What came too late to be sent. Where that fails, its lease ends, and the attempt counts as interrupted. */
  async function giveBack(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const handedBack = await handBack(pool, claimed);
    if (handedBack > 0) log.info({ deliveries: handedBack }, 'webhooks that were claimed and not sent are handed back');
  }

  /** None of a receiver that is held is claimed: as if it had as much in flight as it may. */
  function withHeld(): ReadonlyMap<string, number> {
    for (const [receiverId, until] of held) if (until <= performance.now()) held.delete(receiverId);
    return held.size === 0
      ? inFlight
      : new Map([...inFlight, ...[...held.keys()].map((id) => [id, perReceiver] as const)]);
  }

  /** What can be sent, and where to. What is not as we stored it is held: it is handed back, and no attempt is lost. */
  async function soundOf(claimed: readonly ClaimedDelivery[], now: Date): Promise<[ClaimedDelivery, Target][]> {
    const sound: [ClaimedDelivery, Target][] = [];
    const altered: ClaimedDelivery[] = [];
    for (const one of claimed) {
      const target = targetIfSound(one, now);
      if (target === undefined) altered.push(one);
      else sound.push([one, target]);
    }
    // Where that fails, their lease ends, and the attempts count as interrupted.
    await handBack(pool, altered, HELD_MS).catch((error: unknown) => claiming.failed(error));
    return sound;
  }

  /** Where a delivery goes, and what it is signed with; undefined, and on record, where that is not as we stored it. */
  function targetIfSound(claimed: ClaimedDelivery, now: Date): Target | undefined {
    const { deliveryId, receiverId, receiver, eventOf } = claimed;
    if (held.has(receiverId)) return undefined;
    try {
      const target = targetOf(receiver, now);
      // Its row may have been written by others: they would have one owner's event told to another.
      if (eventOf === receiverId || eventOf === receiver.route.defaultId) return target;
      throw new AlteredRecord('webhooks.delivery', [deliveryId]);
    } catch (error) {
      const isOfReceiver = !(error instanceof AlteredRecord) || targets.get(receiver) === undefined;
      if (isOfReceiver) held.set(receiverId, performance.now() + HELD_MS);
      if (error instanceof AlteredRecord) options.securityLog.record('stored_record_altered', { record: error.record });
      else log.error({ receiverId, reason: reasonOf(error) }, 'the keys of a webhook receiver do not open: it is held');
      return undefined;
    }
  }

  function start(claimed: ClaimedDelivery, target: Target, now: Date): void {
    const { deliveryId, receiverId, inLane } = claimed;
    if (inLane) inLanes.add(deliveryId);
    inFlight.set(receiverId, (inFlight.get(receiverId) ?? 0) + 1);
    sending += 1;
    void deliver(claimed, target, now);
  }

  function endFlight(receiverId: string): void {
    const left = (inFlight.get(receiverId) ?? 1) - 1;
    if (left > 0) inFlight.set(receiverId, left);
    else inFlight.delete(receiverId);
    fillFreedSlot();
  }

  function fillFreedSlot(): void {
    slotFreed = true;
    if (mayBeMore) gather();
  }

  /** One claim costs much less than several: slots that fall free while others send are filled together. */
  function gather(): void {
    if (slots - sending >= gathered) void pump();
    else if (!closing) gathering ??= setTimeout(() => void pump(), GATHER_MS);
  }

  async function deliver(claimed: ClaimedDelivery, target: Target, now: Date): Promise<void> {
    const claimedAt = performance.now();
    const span = startAttempt(claimed);
    const result = attemptResult(claimed, await send(claimed, target, now, span), options);
    const { error, status } = result;
    span?.set({ 'http.response.status_code': result.statusCode ?? undefined });
    span?.end(error === null ? undefined : attemptLabel(error));
    // A failure stays in flight until the breaker has counted it: otherwise one that fails at once is sent its whole backlog.
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

  /** That of a receiver, verified and opened once for all deliveries of a claim. @throws AlteredRecord */
  function targetOf(receiver: ClaimedReceiver, now: Date): Target {
    const known = targets.get(receiver);
    if (known !== undefined) return known;
    const url = urlOf(options.keyring, receiver);
    if (url === null) throw new Error('a receiver without a URL was claimed');
    const target = { url, keys: openKeys(receiver, now) };
    targets.set(receiver, target);
    return target;
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
      log.error({ deliveryId, reason: reasonOf(error) }, 'a webhook could not be sent');
      return Promise.resolve({
        statusCode: null,
        error: 'internal',
        response: null,
        retryAfter: undefined,
        durationMs: 0,
      });
    }
  }

  return {
    pump,
    async close() {
      closing = true;
      clearTimeout(gathering);
      await running;
      if (sending > 0) await new Promise<void>((resolve) => (allSent = resolve));
      await recorder.close();
    },
  };
}

/** Where the deliveries of a receiver go, and what they are signed with. */
interface Target {
  url: string;
  keys: SigningKeys;
}

/** The error itself may hold the URL. */
const reasonOf = (error: unknown): unknown => (error instanceof Error ? error.message : error);

/** A part of the trace of what the delivery is due to; a trace of its own where that had none. */
const startAttempt = ({ traceparent, number }: ClaimedDelivery): Span | undefined =>
  startSpan('webhook attempt', {
    kind: 'client',
    parent: traceparent ?? undefined,
    attributes: { 'http.request.method': 'POST', 'paytag.attempt': number },
  });
