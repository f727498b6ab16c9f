import type { Executor } from '#lib/postgres/executor.ts';
import { readReceivers } from '#modules/outbox';
import { selectPaused } from './pause-store.ts';

/** Events that the contract does not know: they go to none but those that ask for them by name. */
export const extensionEvents: readonly string[] = [
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
 * The endpoints of a partner or application that want an event of this name and can be sent it now: they have a URL and are
 * not paused. One that names no events wants all of the contract. The default one first; none for an owner without any.
 *
 * @param except one of them, of which the others are to be told
 * @param toKeep also those that have no URL or are paused, for which it is kept until they can be sent it
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
