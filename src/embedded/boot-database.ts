import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { CannotStart } from '#lib/domain-error.ts';
import { createOnce } from '#lib/files.ts';
import { randomToken } from '#lib/random.ts';
import { runningServer } from './server-file.ts';
import { readPostmasterFile } from './supervisor.ts';

const CONNECT_TIMEOUT_MS = 2_000;
const OWNER_ONLY = 0o600;

interface DatabaseUrls {
  /** With the login of the server. */
  url: string;
  /** With that of the owner of the tables, where it was given. */
  ownerUrl: string | undefined;
}

/** The database of a process. */
export interface BootedDatabase extends DatabaseUrls {
  /** Calls back when an embedded database exits unexpectedly: the process cannot continue without it. */
  onExit(callback: () => void): void;
  /** Stops an embedded database that this process started; leaves any other alone. */
  stop(): Promise<void>;
}

interface Settings {
  /** Undefined: the embedded database under `dataDir`. */
  databaseUrl: string | undefined;
  databaseOwnerUrl: string | undefined;
  dataDir: string;
}

/**
 * The database of a server: the one that DATABASE_URL names, or the embedded one, which is started.
 *
 * @throws CannotStart with what to do next, when the embedded one cannot start or another process runs it
 */
export async function bootDatabase({ databaseUrl, databaseOwnerUrl, dataDir }: Settings): Promise<BootedDatabase> {
  if (databaseUrl !== undefined) return notOurs({ url: databaseUrl, ownerUrl: databaseOwnerUrl });
  const { startEmbedded } = await import('./start-embedded.ts');
  const embedded = await startEmbedded(resolve(dataDir)).catch(async (error: unknown) => {
    const other = error instanceof CannotStart ? await runningServer(dataDir) : undefined;
    if (other === undefined) throw error;
    throw new CannotStart(
      `the server at ${other.url} (process ${other.pid}) uses the data in ${resolve(dataDir)}: stop it first, or give another DATA_DIR`,
    );
  });
  return {
    ...(await embeddedUrls(resolve(dataDir), embedded.url('postgres'))),
    onExit: (callback) => void embedded.child.once('exit', callback),
    stop: () => embedded.stop(),
  };
}

/** The database of a command: as `bootDatabase`, but it shares an embedded database that a server is running. */
export async function bootOrShareDatabase(settings: Settings): Promise<BootedDatabase> {
  const dataDir = resolve(settings.dataDir);
  const ownerUrl = settings.databaseUrl === undefined ? await runningEmbedded(dataDir) : undefined;
  return ownerUrl === undefined ? bootDatabase(settings) : notOurs(await embeddedUrls(dataDir, ownerUrl));
}

const notOurs = (urls: DatabaseUrls): BootedDatabase => ({ ...urls, onExit: () => {}, stop: async () => {} });

/** The superuser owns the embedded database; the server has a login of its own, whose password is made at the first start. */
async function embeddedUrls(dataDir: string, ownerUrl: string): Promise<DatabaseUrls> {
  const file = join(dataDir, 'cluster', 'server-password');
  await createOnce(file, `${randomToken()}\n`, OWNER_ONLY);
  const url = new URL(ownerUrl);
  url.username = 'paytag_server';
  url.password = (await readFile(file, 'utf8')).trim();
  return { url: url.href, ownerUrl };
}

/** Connection string of the embedded database under `dataDir`, as its superuser, if it runs now. */
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
