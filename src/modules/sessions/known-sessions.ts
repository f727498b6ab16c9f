import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type KnownSession, SESSIONS, selectSessions } from './store.ts';

/** Sessions, by their ids. */
export type KnownSessions = BoundedCache<KnownSession>;

/** Keeps in memory which sessions live. */
export const cacheSessions = (caches: Caches, db: Database): KnownSessions =>
  caches.open(SESSIONS, async (ids) => new Map((await selectSessions(db, [ids])).map((row) => [row.id, row])));
