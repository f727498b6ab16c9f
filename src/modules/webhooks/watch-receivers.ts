import type { Logger } from 'pino';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { emitTo } from '#modules/outbox';
import {
  type Episode,
  endEpisode,
  forgetFailures,
  lockWellEpisode,
  openEpisodes,
  replayFailures,
  reviewEpisodes,
  selectEpisodeFacts,
  takesDeliveries,
  type WellEpisode,
} from './episode-store.ts';
import { endpointsThatWant } from './send-event.ts';

/** For one receiver in one run, so that a receiver that has just recovered is not flooded. */
const REPLAYED_MAX = 100;

type Deps = {
  db: Database;
  transact: Transact;
  log: Logger;
  webhooks: { replayFailed: boolean; wellAfterS: number };
};

/**
 * Begins an episode for each receiver that does not accept its deliveries, and ends the episodes of receivers that have worked
 * for `wellAfterS` seconds: no failed attempt, no backlog. Before an episode of FAILED deliveries ends, `replayFailed` delivers
 * each of their events once more, by a new delivery, a hundred at a time and only while none of these is pending. An event that
 * was resent since, or replayed before, is left out. Pauses, failures and recoveries are published to the owner's other endpoints
 * that want these events. Safe in any number of processes at once.
 */
export async function watchReceivers(deps: Deps): Promise<void> {
  const { db, transact, log, webhooks } = deps;
  const begun = await transact(async (tx) => {
    const episodes = await openEpisodes(tx);
    await publishBegun(tx, episodes);
    return episodes;
  });
  for (const { receiverId, kind } of begun) {
    log.warn(
      { event: 'episode.began', receiverId, kind },
      'a webhook receiver does not accept its deliveries: its owner is notified',
    );
  }
  for (const { id, receiverId, kind } of await reviewEpisodes(db, webhooks.wellAfterS)) {
    const hasEnded = await transact((tx) => settle(tx, id, deps));
    if (hasEnded) log.info({ event: 'episode.ended', receiverId, kind }, 'a webhook receiver works again');
  }
}

/** True when it ended the episode. */
async function settle(tx: Tx, id: string, { log, webhooks }: Deps): Promise<boolean> {
  const episode = await lockWellEpisode(tx, id);
  if (episode === undefined) return false;
  if (episode.kind === 'FAILED') {
    const toReplay = webhooks.replayFailed && !episode.isDeleted;
    if (toReplay && !(await replay(tx, episode, log))) return false;
    await forgetFailures(tx, episode.receiverId);
  }
  await endEpisode(tx, id);
  await publishEnded(tx, episode);
  return true;
}

/** True when nothing is left to replay. */
async function replay(tx: Tx, episode: WellEpisode, log: Logger): Promise<boolean> {
  const { ownerId, receiverId } = episode;
  if (!(await takesDeliveries(tx, episode))) return false;
  const { taken, replayed } = await replayFailures(tx, receiverId, REPLAYED_MAX);
  if (replayed > 0) {
    wakeAfterCommit(tx);
    await recordChange(tx, { actor: 'system', action: 'delivery.replay', target: ownerId, after: { replayed } });
    log.info({ event: 'webhook.replayed', receiverId, replayed }, 'failed deliveries were requeued');
  }
  return taken < REPLAYED_MAX;
}

/**
 * Publishes `endpoint.paused` or `delivery.failed` to the owner's other endpoints that want it, in the transaction that begins
 * the episode, so exactly once.
 */
async function publishBegun(tx: Tx, episodes: readonly Episode[]): Promise<void> {
  for (const facts of await selectEpisodeFacts(tx, idsOf(episodes))) {
    const { receiverId, host, kind, beganAt, failed } = facts;
    const since = { EndpointId: receiverId, Host: host };
    if (kind === 'PAUSED') {
      const { pausedBy, reason } = facts;
      await publish(tx, facts, 'endpoint.paused', { ...since, PausedBy: pausedBy, Reason: reason, PausedAt: beganAt });
    } else if (failed !== null) {
      await publish(tx, facts, 'delivery.failed', { ...since, ...failed, Since: beganAt });
    }
  }
}

/** Publishes `endpoint.recovered` in the same way. */
async function publishEnded(tx: Tx, episode: Episode): Promise<void> {
  for (const facts of await selectEpisodeFacts(tx, idsOf([episode]))) {
    const { receiverId, host, kind, beganAt, at } = facts;
    await publish(tx, facts, 'endpoint.recovered', {
      EndpointId: receiverId,
      Host: host,
      After: kind === 'PAUSED' ? 'endpoint.paused' : 'delivery.failed',
      Since: beganAt,
      RecoveredAt: at,
    });
  }
}

/** Only these kinds are published. */
const idsOf = (episodes: readonly Episode[]): string[] =>
  episodes.filter(({ kind }) => kind === 'PAUSED' || kind === 'FAILED').map(({ id }) => id);

async function publish(
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
