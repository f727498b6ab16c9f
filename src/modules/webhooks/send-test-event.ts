import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomId } from '#lib/random.ts';
import type { Throttles } from '#modules/limits';
import { emit, emitTo, endpointNotFound, readReceiver, readReceivers, receiverNotFound } from '#modules/outbox';
import { selectFirstDeliveryId } from './delivery-store.ts';
import { endpointsThatWant, extensionEvents } from './endpoints-that-want.ts';
import { getDelivery } from './read-deliveries.ts';

const TEST_EVENT = 'webhook.test';
const MINUTE_S = 60;

type Deps = { transact: Transact; limits: { webhookTestsPerM: number }; throttles: Throttles };

/**
 * Sends an event that reports nothing to one endpoint, the same way as every other. It has the envelope of the contract, a
 * name that no event of the contract has, and no member that an amount could be read from.
 *
 * @param endpointId without one the default endpoint
 * @returns its delivery, due at once
 * @throws DomainError WEBHOOK_URL_NOT_SET, RECEIVER_NOT_FOUND, ENDPOINT_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function sendTestEvent(
  { transact, clock, limits, throttles }: Deps & { clock: Clock },
  ownerId: string,
  endpointId?: string,
): ReturnType<typeof getDelivery> {
  await takeTurn({ limits, throttles }, ownerId);
  const reference = `test-${randomId()}`;
  const data = { Test: true, Message: 'A test event: no money has moved.', CreatedAt: clock.now() };
  const body = JSON.stringify({ event: TEST_EVENT, reference, data });
  return transact(async (tx) => {
    const found = await readReceiver(tx, ownerId, endpointId);
    if (found === undefined) throw endpointId === undefined ? receiverNotFound() : endpointNotFound();
    if (found.url === null) throw nowhere();
    const eventId = await emitTo(tx, { endpointId: found.id, event: TEST_EVENT, reference, body });
    return getDelivery(tx, await firstDeliveryOf(tx, eventId));
  });
}

/**
 * Sends an event that its owner asked for, to their own endpoints that want it.
 *
 * @returns its delivery to the first of them, due at once
 * @throws DomainError WEBHOOK_URL_NOT_SET, RECEIVER_NOT_FOUND, EVENT_NOT_WANTED, TOO_MANY_REQUESTS
 */
export async function sendEvent(
  { transact, ...rest }: Deps,
  ownerId: string,
  asked: { event: string; reference: string; body: string },
): ReturnType<typeof getDelivery> {
  await takeTurn(rest, ownerId);
  return transact(async (tx) => {
    const endpoints = await readReceivers(tx, ownerId);
    if (endpoints.length > 0 && endpoints.every(({ url }) => url === null)) throw nowhere();
    if (extensionEvents.includes(asked.event)) return getDelivery(tx, await sendToThose(tx, ownerId, asked));
    const eventId = await emit(tx, { ownerId, ...asked });
    if (eventId === undefined) throw receiverNotFound();
    return getDelivery(tx, await firstDeliveryOf(tx, eventId));
  });
}

/** To each endpoint that asks for it by name: the id of the first delivery. */
async function sendToThose(
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

async function takeTurn({ limits, throttles }: Omit<Deps, 'transact'>, ownerId: string): Promise<void> {
  const points = limits.webhookTestsPerM;
  await throttles.take({ name: 'test events', points, windowS: MINUTE_S }, ownerId);
}

async function firstDeliveryOf(tx: Tx, eventId: string): Promise<string> {
  const id = await selectFirstDeliveryId(tx, eventId);
  if (id === undefined) throw notWanted();
  return id;
}

const notWanted = () => new DomainError('EVENT_NOT_WANTED', 'none of your webhook endpoints wants this event');

const nowhere = () =>
  new DomainError('WEBHOOK_URL_NOT_SET', 'set a webhook URL first: there is nowhere to send the event');
