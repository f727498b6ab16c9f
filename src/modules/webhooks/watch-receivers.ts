import type { Logger } from 'pino';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { tellBegun, tellEnded } from './endpoint-events.ts';
import {
  endEpisode,
  forgetFailures,
  lockWellEpisode,
  openEpisodes,
  replayFailures,
  reviewEpisodes,
  takesDeliveries,
  type WellEpisode,
} from './episode-store.ts';

/** New deliveries of one receiver in one run at most, so that one that has just recovered is not flooded. */
const REPLAYED_MAX = 100;

type Deps = {
  db: Database;
  transact: Transact;
  log: Logger;
  webhooks: { replayFailed: boolean; wellAfterS: number };
};

/**
 * Begins an episode of each receiver that does not take its deliveries, and ends those of receivers that have been well for
 * `wellAfterS` seconds: without a failed attempt and without a backlog. Before the end of one in which deliveries FAILED, each
 * of their events is delivered once more where `replayFailed` is set: by a new delivery, a hundred at a time, and no more while
 * these wait. What was resent since is left alone, and no event goes out by itself a second time. Any number of processes may
 * do so at once. Of pauses, of what FAILED and of their end other endpoints of the owner are told that ask for it.
 */
export async function watchReceivers(deps: Deps): Promise<void> {
  const { db, transact, log, webhooks } = deps;
  const begun = await transact(async (tx) => {
    const episodes = await openEpisodes(tx);
    await tellBegun(tx, episodes);
    return episodes;
  });
  for (const { receiverId, kind } of begun) {
    log.warn({ receiverId, kind }, 'webhook receiver does not take its deliveries: its owner is told');
  }
  for (const { id, receiverId, kind } of await reviewEpisodes(db, webhooks.wellAfterS)) {
    const hasEnded = await transact((tx) => settle(tx, id, deps));
    if (hasEnded) log.info({ receiverId, kind }, 'webhook receiver is well again');
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
  await tellEnded(tx, episode);
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
    log.info({ receiverId, replayed }, 'webhooks that had failed go out again');
  }
  return taken < REPLAYED_MAX;
}
