import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import type { Throttles } from '#modules/limits';
import { emit, emitTo, endpointNotFound, readReceiver, readReceivers, receiverNotFound } from '#modules/outbox';
import { selectFirstDeliveryId } from './delivery-store.ts';
import { getDelivery } from './read-deliveries.ts';
import { selectPaused } from './receiver-store.ts';

const TEST_EVENT = 'webhook.test';
const MINUTE_S = 60;

type Deps = { transact: Transact; limits: { webhookTestsPerM: number }; throttles: Throttles };

/**
 * Sends a test event to one endpoint in the normal way. It has the envelope of the contract, a name of its own, and no member
 * that could be read as an amount.
 *
 * @param endpointId by default the default endpoint
 * @returns its delivery, due at once
 * @throws DomainError WEBHOOK_URL_NOT_SET, RECEIVER_NOT_FOUND, ENDPOINT_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function sendTestEvent(
  { transact, clock, limits, throttles }: Deps & { clock: Clock },
  ownerId: string,
  endpointId?: string,
): ReturnType<typeof getDelivery> {
  await throttle({ limits, throttles }, ownerId);
  const reference = `test-${randomId()}`;
  const data = { Test: true, Message: 'A test event: no money has moved.', CreatedAt: clock.now() };
  const body = JSON.stringify({ event: TEST_EVENT, reference, data });
  return transact(async (tx) => {
    const found = await readReceiver(tx, ownerId, endpointId);
    if (found === undefined) throw endpointId === undefined ? receiverNotFound() : endpointNotFound();
    if (found.url === null) throw noUrl();
    const eventId = await emitTo(tx, { endpointId: found.id, event: TEST_EVENT, reference, body });
    return getDelivery(tx, await firstDeliveryOf(tx, eventId));
  });
}

/**
 * Sends a sample event to those endpoints of an owner that want it.
 *
 * @returns its first delivery, due at once
 * @throws DomainError WEBHOOK_URL_NOT_SET, RECEIVER_NOT_FOUND, EVENT_NOT_WANTED, TOO_MANY_REQUESTS
 */
export async function sendEvent(
  { transact, ...rest }: Deps,
  ownerId: string,
  asked: { event: string; reference: string; body: string },
): ReturnType<typeof getDelivery> {
  await throttle(rest, ownerId);
  return transact(async (tx) => {
    const endpoints = await readReceivers(tx, ownerId);
    if (endpoints.length > 0 && endpoints.every(({ url }) => url === null)) throw noUrl();
    if (extensionEvents.includes(asked.event)) return getDelivery(tx, await sendToEach(tx, ownerId, asked));
    const eventId = await emit(tx, { ownerId, ...asked });
    if (eventId === undefined) throw receiverNotFound();
    return getDelivery(tx, await firstDeliveryOf(tx, eventId));
  });
}

/** To each endpoint that wants the event: the id of the first delivery. */
async function sendToEach(
  tx: Tx,
  ownerId: string,
  asked: { event: string; reference: string; body: string },
): Promise<string> {
  const eventIds = [];
  for (const { endpointId } of await endpointsThatWant(tx, { ownerId, event: asked.event })) {
    eventIds.push(await emitTo(tx, { endpointId, ...asked }));
  }
  const [first] = eventIds;
  if (first === undefined) throw notWanted();
  return firstDeliveryOf(tx, first);
}

async function throttle({ limits, throttles }: Omit<Deps, 'transact'>, ownerId: string): Promise<void> {
  const points = limits.webhookTestsPerM;
  await throttles.take({ name: 'test events', points, windowS: MINUTE_S }, ownerId);
}

async function firstDeliveryOf(tx: Tx, eventId: string): Promise<string> {
  const id = await selectFirstDeliveryId(tx, eventId);
  if (id === undefined) throw notWanted();
  return id;
}

const notWanted = () => new DomainError('EVENT_NOT_WANTED', 'none of your webhook endpoints wants this event');
const noUrl = () => new DomainError('WEBHOOK_URL_NOT_SET', 'set a webhook URL first: the event has no destination');

/** Events beyond the contract: an endpoint gets them only if it names them. */
const extensionEvents: readonly string[] = [
  'endpoint.paused',
  'endpoint.recovered',
  'delivery.failed',
  'dispute.opened',
  'dispute.expired',
  'dispute.decided',
  'payout.sent',
  'payout.successful',
  'payout.failed',
  'payout.reversed',
];

/**
 * The endpoints of a partner or application that want this event, have a URL and are not paused, the default one first. An
 * endpoint that names no events wants all of the contract.
 *
 * @param except an endpoint to leave out
 * @param toKeep include endpoints without a URL and paused ones: their deliveries are held
 */
export async function endpointsThatWant(
  db: Executor,
  {
    ownerId,
    event,
    except,
    toKeep = false,
  }: { ownerId: string; event: string; except?: string | undefined; toKeep?: boolean },
): Promise<{ endpointId: string }[]> {
  const wants = (events: readonly string[] | null) =>
    events === null ? !extensionEvents.includes(event) : events.includes(event);
  const wanting = (await readReceivers(db, ownerId)).filter(
    ({ id, url, events }) => id !== except && (toKeep || url !== null) && wants(events),
  );
  if (toKeep) return wanting.map(({ id }) => ({ endpointId: id }));
  const paused = await selectPaused(
    db,
    wanting.map(({ id }) => id),
  );
  return wanting.filter(({ id }) => !paused.has(id)).map(({ id }) => ({ endpointId: id }));
}
