import type { Pool } from 'pg';
import type { RouteInSql, SealedSigningKeys } from '#modules/outbox';
import { CLAIM } from './claim-statement.ts';

/** A delivery whose next attempt has begun, with all that is needed to send it. */
export interface ClaimedDelivery {
  deliveryId: string;
  /** Of the attempt, from 1. */
  number: number;
  /** How old the delivery is. */
  ageMs: number;
  eventId: string;
  body: string;
  sequence: string | null;
  /** The trace that it goes on with; null: none. */
  traceparent: string | null;
  receiverId: string;
  /** One object for all deliveries of a claim that go there. */
  receiver: ClaimedReceiver;
  /** It is of a lane: when it ends, the next one of it may be due. */
  inLane: boolean;
  /** The receiver that its event was written for: it stands beside that one, where it is another. */
  eventOf: string;
}

/** As it is stored: whoever sends to it verifies it first (`urlOf`). */
export interface ClaimedReceiver extends SealedSigningKeys, RouteInSql {}

export interface DeliveryClaimRequest {
  limit: number;
  /** At most this many of one receiver in flight, those of `inFlight` included. */
  perReceiver: number;
  /** What is in flight in this process, by receiver. */
  inFlight: ReadonlyMap<string, number>;
  /** When nothing is recorded within this time, the delivery is due again: its process has died. */
  leaseMs: number;
  now?: Date | undefined;
}

export interface DeliveryClaimResult {
  /** The attempt of each is counted and on record, and is to be sent now. */
  claimed: ClaimedDelivery[];
  /** Deliveries whose fifth attempt was interrupted. They are FAILED now, and not to be sent. */
  exhausted: ClaimedDelivery[];
  /** Milliseconds until the next of the others is due, or the next open breaker lets one through; null when none waits. */
  dueInMs: number | null;
  /** Deliveries that were due, and wait now for an earlier one of their lane. */
  parked: number;
  /** More may be due that this claim left for want of a free slot or of a probe's result. */
  mayBeMore: boolean;
}

/** A row of the claim: of a delivery, of the receiver of one or more, or of neither when nothing was claimed. */
type ClaimRow = [
  dueInMs: number | null,
  mayBeMore: boolean,
  parked: number,
  receiverId: string,
  ...(
    | [...receiver: [...RouteCells, Buffer, Buffer, Buffer | null, Date | null, Buffer | null], deliveryId: null]
    | [...receiver: [null, null, null, null, null, null, null], ...DeliveryCells]
  ),
];
type RouteCells = [route: RouteInSql['route'], standing: RouteInSql['standing']];
type DeliveryCells = [
  deliveryId: string | null,
  status: 'PENDING' | 'FAILED',
  number: number,
  ageMs: number,
  eventId: string,
  body: string,
  sequence: string | null,
  inLane: boolean,
  traceparent: string | null,
  eventOf: string,
];

/**
 * Claims up to `limit` due deliveries of receivers that have a URL and are not paused, those with the least in flight
 * first, and leaves slots free for a receiver that comes next. Each attempt is counted and recorded as begun before this
 * returns, so whatever dies afterwards, no delivery has a sixth one. Claims of several processes never overlap. Of a
 * receiver whose breaker is open nothing is claimed, of a half-open one a single probe; of one with a rate no more than that
 * gives; and of a lane nothing while an earlier one of it is pending.
 */
export async function claimDeliveries(
  pool: Pool,
  { limit, perReceiver, inFlight, leaseMs, now }: DeliveryClaimRequest,
): Promise<DeliveryClaimResult> {
  const { rows } = await pool.query<ClaimRow>({
    name: 'webhooks-claim',
    text: CLAIM,
    values: [limit, perReceiver, [...inFlight.keys()], [...inFlight.values()], leaseMs, now ?? null],
    rowMode: 'array',
  });
  const receivers = new Map<string, ClaimedReceiver>();
  for (const [
    ,
    ,
    ,
    id,
    route,
    standing,
    clientIdSealed,
    secretSealed,
    previousSecretSealed,
    previousSecretUntil,
    headersSealed,
  ] of rows) {
    if (route !== null)
      receivers.set(id, {
        id,
        route,
        standing,
        clientIdSealed,
        secretSealed,
        previousSecretSealed,
        previousSecretUntil,
        headersSealed,
      });
  }
  const claimed: ClaimedDelivery[] = [];
  const exhausted: ClaimedDelivery[] = [];
  for (const [
    ,
    ,
    ,
    receiverId,
    ,
    ,
    ,
    ,
    ,
    ,
    ,
    deliveryId,
    status,
    number,
    ageMs,
    eventId,
    body,
    sequence,
    inLane,
    traceparent,
    eventOf,
  ] of rows) {
    const receiver = receivers.get(receiverId);
    if (deliveryId === null || receiver === undefined) continue;
    const sent = { eventId, body, sequence, traceparent, eventOf };
    const one = { deliveryId, number, ageMs, ...sent, receiverId, receiver, inLane };
    (status === 'PENDING' ? claimed : exhausted).push(one);
  }
  const [[dueInMs, mayBeMore, parked] = [null, false, 0]] = rows;
  return { claimed, exhausted, dueInMs, parked, mayBeMore };
}
