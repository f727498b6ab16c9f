import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { readPostmasterFile } from './postmaster-file.ts';

const CONNECT_TIMEOUT_MS = 2_000;

/** The database that a process runs on. */
export interface BootedDatabase {
  url: string;
  /** Calls back when an embedded database has exited by itself: the process cannot go on without it. */
  onExit(callback: () => void): void;
  /** Stops an embedded database that this process started; leaves any other alone. */
  stop(): Promise<void>;
}

interface Settings {
  /** Undefined: the embedded database under `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
}

/**
 * The database of a server: the one that DATABASE_URL names, or the embedded one, which is started.
 *
 * @throws Error with what to do next, when the embedded one cannot start or another process runs it
 */
export async function bootDatabase({ databaseUrl, dataDir }: Settings): Promise<BootedDatabase> {
  if (databaseUrl !== undefined) return notOurs(databaseUrl);
  const { startEmbedded } = await import('./start-embedded.ts');
  const embedded = await startEmbedded(resolve(dataDir));
  return {
    url: embedded.url('postgres'),
    onExit: (callback) => void embedded.child.once('exit', callback),
    stop: () => embedded.stop(),
  };
}

/** The database of a command: as `bootDatabase`, but an embedded one that a server runs at the moment is shared with it. */
export async function bootOrShareDatabase(settings: Settings): Promise<BootedDatabase> {
  const url = settings.databaseUrl === undefined ? await runningEmbedded(resolve(settings.dataDir)) : undefined;
  return url === undefined ? bootDatabase(settings) : notOurs(url);
}

const notOurs = (url: string): BootedDatabase => ({ url, onExit: () => {}, stop: async () => {} });

/** Connection string of the embedded database under `dataDir` if it runs now. */
async function runningEmbedded(dataDir: string): Promise<string | undefined> {
  const cluster = join(dataDir, 'cluster');
  const { port = 0 } = (await readPostmasterFile(join(cluster, 'data'))) ?? {};
  if (!(port > 0)) return undefined;
  const password = (await readFile(join(cluster, 'password'), 'utf8')).trim();
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    return url;
  } catch {
    return undefined; // the file of a server that was killed
  } finally {
    await client.end().catch(() => undefined);
  }
}
