import type { Executor } from '#lib/database.ts';
import { readReceivers } from '#modules/outbox';
import { selectPaused } from './pause-store.ts';

/**
 * The endpoints of a partner or application that want an event of this name and can be sent it now: they have a URL and are
 * not paused. The default one first; none for an owner without any.
 *
 * @param except one of them, of which the others are to be told
 */
export async function endpointsThatWant(
  db: Executor,
  { ownerId, event, except }: { ownerId: string; event: string; except?: string | undefined },
): Promise<{ endpointId: string }[]> {
  const wanting = (await readReceivers(db, ownerId)).filter(
    ({ id, url, events }) => id !== except && url !== null && (events === null || events.includes(event)),
  );
  const paused = await selectPaused(
    db,
    wanting.map(({ id }) => id),
  );
  return wanting.filter(({ id }) => !paused.has(id)).map(({ id }) => ({ endpointId: id }));
}
