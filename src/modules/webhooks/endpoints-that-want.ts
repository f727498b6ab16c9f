import type { Executor } from '#lib/database.ts';
import { readReceivers } from '#modules/outbox';
import { selectPaused } from './pause-store.ts';

/** What tells of endpoints themselves. The contract knows none of it: it goes to none but those that ask for it by name. */
export const endpointEvents: readonly string[] = ['endpoint.paused', 'endpoint.recovered', 'delivery.failed'];

/**
 * The endpoints of a partner or application that want an event of this name and can be sent it now: they have a URL and are
 * not paused. One that names no events wants all of the contract. The default one first; none for an owner without any.
 *
 * @param except one of them, of which the others are to be told
 */
export async function endpointsThatWant(
  db: Executor,
  { ownerId, event, except }: { ownerId: string; event: string; except?: string | undefined },
): Promise<{ endpointId: string }[]> {
  const wants = (events: readonly string[] | null) =>
    events === null ? !endpointEvents.includes(event) : events.includes(event);
  const wanting = (await readReceivers(db, ownerId)).filter(
    ({ id, url, events }) => id !== except && url !== null && wants(events),
  );
  const paused = await selectPaused(
    db,
    wanting.map(({ id }) => id),
  );
  return wanting.filter(({ id }) => !paused.has(id)).map(({ id }) => ({ endpointId: id }));
}
