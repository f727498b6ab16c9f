import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';
import { type DatabaseHandle, LONG_READS_MAX, openDatabase } from '#lib/postgres/database.ts';
import { type Database, onOneConnection } from '#lib/postgres/executor.ts';
import { logTrouble } from '#lib/postgres/failures.ts';
import { createLongReads, createReadAside, type ReadAside, type ReadLong } from '#lib/postgres/long-reads.ts';
import type { Config } from './config/config.ts';

/** Connections for background work, where requests use a pooler. */
const BACKGROUND_POOL_MAX = 4;

/** How stale the public register of tags may be when a replica answers. */
const DIRECTORY_STALE_MS = 1_000;

/** The connections of a process to its database. */
interface Databases extends Pick<DatabaseHandle, 'db' | 'pool' | 'longReads' | 'trouble'> {
  /** Without the pooler: for what needs its own session, such as LISTEN. */
  readonly directUrl: string;
  /** For background work, which may take longer than a request; without the pooler. */
  readonly background: Pick<DatabaseHandle, 'db' | 'pool' | 'longReads'>;
  readonly readLong: ReadLong;
  /** Reads public data from a replica. Undefined without one. */
  readonly readPublic: (<Result>(read: (db: Database) => Promise<Result>) => Promise<Result>) | undefined;
  close(): Promise<void>;
}

/** Opens the database at this URL; for the database of requests also without the configured pooler, and its replica. */
export function openDatabases(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databasePrepare' | 'databaseReadUrl' | 'databasePoolMax'>,
  databaseUrl: string,
  { log, metrics }: { log: Logger; metrics: Meter },
): Databases {
  const { databaseDirectUrl, databaseReadUrl, databasePrepare: prepare } = config;
  const isOfRequests = databaseUrl === config.databaseUrl;
  const directUrl = isOfRequests ? databaseDirectUrl : undefined;
  let isClosing = false;
  const onError = (error: Error) => {
    if (!isClosing) log.warn({ event: 'database.connection_lost', err: error }, 'a database connection broke');
  };
  const onTrouble = logTrouble(log);
  const main = openDatabase(databaseUrl, config.databasePoolMax, onError, { directUrl, prepare, metrics, onTrouble });
  const background =
    directUrl === undefined
      ? main
      : openDatabase(directUrl, BACKGROUND_POOL_MAX, onError, { applicationName: 'paytag-background', metrics });
  const replica =
    isOfRequests && databaseReadUrl !== undefined
      ? openDatabase(databaseReadUrl, 1, onError, { applicationName: 'paytag-replica', metrics })
      : undefined;
  const aside = replica && createReadAside({ primary: main.db, replica: replica.db, log });
  return {
    db: main.db,
    pool: main.pool,
    longReads: main.longReads,
    trouble: () => main.trouble(),
    directUrl: directUrl ?? databaseUrl,
    background,
    readLong: createLongReads(longReader(main, replica, aside), LONG_READS_MAX),
    readPublic:
      replica &&
      aside &&
      ((read) =>
        aside(
          () => read(replica.db),
          () => read(main.db),
          { staleMs: DIRECTORY_STALE_MS },
        )),
    async close() {
      isClosing = true;
      const opened = [...new Set([main, background, ...(replica === undefined ? [] : [replica])])];
      await Promise.all(opened.map(async (handle) => handle.close()));
    },
  };
}

type LongReader = Parameters<typeof createLongReads>[0];

const longReader =
  (main: DatabaseHandle, replica: DatabaseHandle | undefined, aside: ReadAside | undefined): LongReader =>
  async (read) => {
    const onPrimary = () => onOneConnection(main.longReads, read);
    return replica === undefined || aside === undefined
      ? onPrimary()
      : aside(() => onOneConnection(replica.longReads, read), onPrimary);
  };
