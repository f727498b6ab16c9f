import type { Logger } from 'pino';
import type { Meter } from '#lib/meter.ts';
import { type DatabaseHandle, LONG_READS_MAX, openDatabase } from '#lib/postgres/database.ts';
import { type Database, onOneConnection } from '#lib/postgres/executor.ts';
import { logTrouble } from '#lib/postgres/failures.ts';
import { createLongReads, createReadAside, type ReadAside, type ReadLong } from '#lib/postgres/long-reads.ts';
import type { Config } from './config/config.ts';

/** Connections of what runs by itself, where requests go through a pooler. */
const BACKGROUND_POOL_MAX = 4;

/** How old what the public register of tags answers from a replica may be. */
const DIRECTORY_STALE_MS = 1_000;

/** The database of a process, as its parts reach it. */
interface Databases extends Pick<DatabaseHandle, 'db' | 'pool' | 'longReads' | 'trouble'> {
  /** Past a pooler: for what needs a session of its own, such as LISTEN. */
  readonly directUrl: string;
  /** For what runs by itself and may take longer than a request: past a pooler too. */
  readonly background: Pick<DatabaseHandle, 'db' | 'pool' | 'longReads'>;
  readonly readLong: ReadLong;
  /** Reads what anybody may see from a replica. Undefined where there is none. */
  readonly readPublic: (<Result>(read: (db: Database) => Promise<Result>) => Promise<Result>) | undefined;
  close(): Promise<void>;
}

/** Opens the database at this URL, and what the configuration says of poolers and replicas where it is that of requests. */
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
    if (!isClosing) log.warn({ err: error }, 'a database connection broke; the pool opens another');
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
