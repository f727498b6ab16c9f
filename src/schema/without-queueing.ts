import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { CannotStart } from '#lib/domain-error.ts';
import { randomFraction } from '#lib/random.ts';

/** Tells whoever waits for a migration what goes on, a line at a time. */
export type Say = (words: string) => void;

/** Whoever wants a table that a migration waits for queues behind it: for so long at most. */
const LOCK_TIMEOUT_S = 2;
const TRIES_MAX = 40;
const BACKOFF_BASE_MS = 250;
const BACKOFF_MAX_MS = 15_000;
const JITTER = 0.2;

/** PostgreSQL's codes for a lock that was not to be had in time, and for a circle of waits. */
const NOT_LOCKED = new Set(['55P03', '40P01']);

/**
 * Runs `work` in a transaction that gives up a lock which it does not get within two seconds, and tries again after longer
 * and longer waits, in which everybody else goes on.
 *
 * @param about `what`: as it is called in what is said
 * @throws CannotStart after forty tries
 */
export async function withoutQueueing(client: Client, about: About, work: () => Promise<void>): Promise<void> {
  await giveWay(client, about, async () => {
    await client.query('begin');
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // what broke says more
      throw error;
    }
  });
}

interface About {
  readonly what: string;
  readonly say: Say;
}

/** The same for work that begins and ends its transactions itself, and may be repeated. */
export async function giveWay(client: Client, { what, say }: About, work: () => Promise<void>): Promise<void> {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT_S}s'`);
  for (let tried = 1; ; tried += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      if (code === undefined || !NOT_LOCKED.has(code)) throw error;
      if (tried === TRIES_MAX) throw tooBusy(what, error);
      const delayMs = Math.min(BACKOFF_BASE_MS * 2 ** (tried - 1), BACKOFF_MAX_MS) * (1 + JITTER * randomFraction());
      say(
        `${what}: others use what it changes (${message}); it lets them go on and tries again in ${(delayMs / 1000).toFixed(1)} s (try ${tried} of ${TRIES_MAX})`,
      );
      await sleep(delayMs);
    }
  }
}

const tooBusy = (what: string, cause: unknown) =>
  new CannotStart(
    `${what} was tried ${TRIES_MAX} times, and others used what it changes each time: nothing of it is done. Look in pg_stat_activity for a transaction that is open for long (a backup, a report), and migrate again when it has ended`,
    { cause },
  );
