import { resolve } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { embeddedDataDir } from './environment.ts';

/**
 * Reads the configuration of this process. In the embedded sandbox, secrets that are not given are made at the first start.
 *
 * @throws ConfigError naming every variable that is missing, unknown or not valid
 */
export async function loadConfig(): Promise<Config> {
  const dataDir = embeddedDataDir();
  if (dataDir === undefined) return readConfig();
  const { generatedSecrets } = await import('./generated-secrets.ts');
  return readConfig(await generatedSecrets(resolve(dataDir)));
}

/**
 * Reads the configuration as `loadConfig` does, and makes nothing: for the secrets of an embedded sandbox others stand in.
 *
 * @throws ConfigError naming every variable that is missing, unknown or not valid
 */
export async function checkConfig(): Promise<Config> {
  const { newSecrets } = await import('./generated-secrets.ts');
  return readConfig(newSecrets());
}
