import { resolve } from 'node:path';
import { type Config, dataDir, readConfig, wantsEmbedded } from './config.ts';

/** The configuration of this process; the embedded sandbox makes the secrets that were not given, and keeps them. */
export async function loadConfig(): Promise<Config> {
  if (!wantsEmbedded()) return readConfig();
  const { generatedSecrets } = await import('./generated-secrets.ts');
  return readConfig(await generatedSecrets(resolve(dataDir())));
}

export interface BootedDatabase {
  url: string;
  stop(): Promise<void>;
}

/** The database of this process: the one DATABASE_URL names, or the embedded one, which is started here. */
export async function bootDatabase(config: Config): Promise<BootedDatabase> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL, stop: async () => {} };
  const { startEmbedded } = await import('./embedded/index.ts');
  const embedded = await startEmbedded(resolve(config.DATA_DIR));
  return { url: embedded.url('postgres'), stop: () => embedded.stop() };
}
