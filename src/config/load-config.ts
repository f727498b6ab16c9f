import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CannotStart } from '#lib/domain-error.ts';
import { type Config, readConfig } from './config.ts';
import { embeddedDataDir } from './environment.ts';

/**
 * Reads the configuration of a server. In the embedded sandbox, secrets that are not given are made at the first start.
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
 * Reads the configuration of a command, as the server's on this machine has it. A command makes no new sandbox: whoever asks
 * about one that is not there is looking in the wrong folder.
 *
 * @throws ConfigError naming every variable that is missing, unknown or not valid
 * @throws CannotStart where no server has ever made the embedded sandbox
 */
export async function loadCommandConfig(): Promise<Config> {
  const dataDir = embeddedDataDir();
  if (dataDir === undefined || existsSync(join(dataDir, 'cluster'))) return await loadConfig();
  await checkConfig();
  throw new CannotStart(
    `there is no database in ${resolve(dataDir)}: run "npm start" first, or give the DATA_DIR or DATABASE_URL of the server you mean`,
  );
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
