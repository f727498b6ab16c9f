import { resolve } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { embeddedDataDir } from './environment.ts';

/**
 * The configuration of this process. The embedded sandbox makes the secrets that were not given, and keeps them.
 *
 * @throws ConfigError naming what is missing, unknown or out of range
 */
export async function loadConfig(): Promise<Config> {
  const dataDir = embeddedDataDir();
  if (dataDir === undefined) return readConfig();
  const { generatedSecrets } = await import('./generated-secrets.ts');
  return readConfig(await generatedSecrets(resolve(dataDir)));
}
