import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { CannotStart } from '#lib/domain-error.ts';
import { createOnce } from '#lib/files.ts';
import { randomToken } from '#lib/random.ts';
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
  return readConfig(await generatedSecrets(resolve(dataDir)));
}

/**
 * Reads the configuration of a command: the one of the server on this machine. A command creates no sandbox: without one it was started
 * in the wrong folder.
 *
 * @throws ConfigError naming every variable that is missing, unknown or not valid
 * @throws CannotStart where no server has created the embedded sandbox
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
 * Reads the configuration as `loadConfig` does, without creating files: random secrets replace those of an embedded sandbox.
 *
 * @throws ConfigError naming every variable that is missing, unknown or not valid
 */
export async function checkConfig(): Promise<Config> {
  return readConfig(newSecrets());
}

const OWNER_ONLY = 0o600;
const shape = z.object({ OPERATOR_TOKEN: z.string(), MASTER_KEY: z.string() });

/** A new MASTER_KEY: 256 random bits in hexadecimal. */
export const newMasterKey = (): string => randomBytes(32).toString('hex');

/** New secrets for an embedded sandbox. */
export const newSecrets = () => ({ OPERATOR_TOKEN: `op_sandbox_${randomToken()}`, MASTER_KEY: newMasterKey() });

/**
 * The secrets of an embedded sandbox, from `secrets.json` under `dataDir`, which the first call creates for its owner alone to read.
 * They belong to that database: data encrypted with one MASTER_KEY cannot be decrypted with another.
 *
 * @throws Error when the file exists but is damaged
 */
export async function generatedSecrets(dataDir: string): Promise<Record<string, string>> {
  const file = join(dataDir, 'secrets.json');
  await mkdir(dataDir, { recursive: true });
  await createOnce(file, `${JSON.stringify(newSecrets(), null, 2)}\n`, OWNER_ONLY);
  try {
    return shape.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new CannotStart(`${file} is damaged: restore it, or remove ${dataDir} to begin with an empty sandbox`, {
      cause,
    });
  }
}
