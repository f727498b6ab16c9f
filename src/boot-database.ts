import { resolve } from 'node:path';
import { type Config, readConfig } from './config/config.ts';
import { embeddedDataDir } from './config/environment.ts';

/** The configuration of this process; the embedded sandbox makes the secrets that were not given, and keeps them. */
export async function loadConfig(): Promise<Config> {
  const dataDir = embeddedDataDir();
  if (dataDir === undefined) return readConfig();
  const { generatedSecrets } = await import('./config/generated-secrets.ts');
  return readConfig(await generatedSecrets(resolve(dataDir)));
}

export interface BootedDatabase {
  url: string;
  /** Calls back when the database has ended by itself: without it this process is of no use. */
  onEnd(callback: () => void): void;
  stop(): Promise<void>;
}

/** The database of this process: the one DATABASE_URL names, or the embedded one, which is started here. */
export async function bootDatabase(config: Config): Promise<BootedDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, onEnd: () => {}, stop: async () => {} };
  const { startEmbedded } = await import('./embedded/index.ts');
  const embedded = await startEmbedded(resolve(config.dataDir));
  return {
    url: embedded.url('postgres'),
    onEnd: (callback) => void embedded.child.once('exit', callback),
    stop: () => embedded.stop(),
  };
}
