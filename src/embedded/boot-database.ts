import { resolve } from 'node:path';

/** The database that a process runs on. */
export interface BootedDatabase {
  url: string;
  /** Calls back when the database has ended by itself: without it this process is of no use. */
  onEnd(callback: () => void): void;
  stop(): Promise<void>;
}

/** The database of this process: the one DATABASE_URL names, or the embedded one, which is started here. */
export async function bootDatabase({
  databaseUrl,
  dataDir,
}: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<BootedDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, onEnd: () => {}, stop: async () => {} };
  const { startEmbedded } = await import('./index.ts');
  const embedded = await startEmbedded(resolve(dataDir));
  return {
    url: embedded.url('postgres'),
    onEnd: (callback) => void embedded.child.once('exit', callback),
    stop: () => embedded.stop(),
  };
}
