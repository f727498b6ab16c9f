import type { Clock } from '#lib/clock.ts';
import { DomainError } from '#lib/domain-error.ts';
import { randomId } from '#lib/random.ts';
import type { Transact } from '#lib/transact.ts';
import { emit, readReceiver, receiverNotFound } from '#modules/outbox';
import type { Throttles } from '#modules/throttles';
import { selectFirstDeliveryId } from './delivery-store.ts';
import { getDelivery } from './read-deliveries.ts';

const TEST_EVENT = 'webhook.test';
const MINUTE_S = 60;

type Deps = { transact: Transact; limits: { webhookTestsPerM: number }; throttles: Throttles };

/**
 * Sends an event that reports nothing, the same way as every other. It has the envelope of the contract, a name that no
 * event of the contract has, and no member that an amount could be read from.
 *
 * @returns its delivery, due at once
 * @throws DomainError as `sendEvent`
 */
export async function sendTestEvent(deps: Deps & { clock: Clock }, ownerId: string): ReturnType<typeof getDelivery> {
  const reference = `test-${randomId()}`;
  const data = { Test: true, Message: 'A test event: no money has moved.', CreatedAt: deps.clock.now() };
  const body = JSON.stringify({ event: TEST_EVENT, reference, data });
  return sendEvent(deps, ownerId, { event: TEST_EVENT, reference, body });
}

/**
 * Sends an event that its owner asked for, to their own receiver alone.
 *
 * @returns its delivery, due at once
 * @throws DomainError WEBHOOK_URL_NOT_SET, RECEIVER_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function sendEvent(
  { transact, limits, throttles }: Deps,
  ownerId: string,
  asked: { event: string; reference: string; body: string },
): ReturnType<typeof getDelivery> {
  const points = limits.webhookTestsPerM;
  await throttles.take({ name: 'test events', points, windowS: MINUTE_S }, ownerId);
  return transact(async (tx) => {
    const found = await readReceiver(tx, ownerId);
    if (found?.url === null)
      throw new DomainError('WEBHOOK_URL_NOT_SET', 'set a webhook URL first: there is nowhere to send the event');
    const eventId = await emit(tx, { ownerId, ...asked });
    if (eventId === undefined) throw receiverNotFound();
    return getDelivery(tx, await selectFirstDeliveryId(tx, eventId));
  });
}
