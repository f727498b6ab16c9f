import type { Tx } from '#lib/postgres/executor.ts';
import { emitTo } from '#modules/outbox';
import { endpointsThatWant } from './endpoints-that-want.ts';
import { selectEpisodeFacts } from './episode-facts-store.ts';
import type { Episode } from './episode-store.ts';

/**
 * Tells the owners of receivers, at other endpoints of theirs that ask for it, that an episode began: `endpoint.paused` or
 * `delivery.failed`. In the transaction that begins it, so that each is told once.
 */
export async function tellBegun(tx: Tx, episodes: readonly Episode[]): Promise<void> {
  for (const facts of await selectEpisodeFacts(tx, idsOf(episodes))) {
    const { receiverId, host, kind, beganAt, failed } = facts;
    const since = { EndpointId: receiverId, Host: host };
    if (kind === 'PAUSED') {
      const { pausedBy, reason } = facts;
      await tell(tx, facts, 'endpoint.paused', { ...since, PausedBy: pausedBy, Reason: reason, PausedAt: beganAt });
    } else if (failed !== null) {
      await tell(tx, facts, 'delivery.failed', { ...since, ...failed, Since: beganAt });
    }
  }
}

/** The same of an episode that ends: `endpoint.recovered`. */
export async function tellEnded(tx: Tx, episode: Episode): Promise<void> {
  for (const facts of await selectEpisodeFacts(tx, idsOf([episode]))) {
    const { receiverId, host, kind, beganAt, at } = facts;
    await tell(tx, facts, 'endpoint.recovered', {
      EndpointId: receiverId,
      Host: host,
      After: kind === 'PAUSED' ? 'endpoint.paused' : 'delivery.failed',
      Since: beganAt,
      RecoveredAt: at,
    });
  }
}

/** What is told of no other kind of episode. */
const idsOf = (episodes: readonly Episode[]): string[] =>
  episodes.filter(({ kind }) => kind === 'PAUSED' || kind === 'FAILED').map(({ id }) => id);

async function tell(
  tx: Tx,
  { id, ownerId, receiverId, at }: { id: string; ownerId: string; receiverId: string; at: Date },
  event: string,
  data: object,
): Promise<void> {
  const body = JSON.stringify({ event, reference: id, data: { ...data, CreatedAt: at } });
  for (const { endpointId } of await endpointsThatWant(tx, { ownerId, event, except: receiverId })) {
    await emitTo(tx, { endpointId, event, reference: id, body });
  }
}
