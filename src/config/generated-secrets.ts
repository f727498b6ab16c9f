import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CannotStart } from '#lib/domain-error.ts';
import { createOnce } from '#lib/files.ts';
import { randomToken } from '#lib/random.ts';

const OWNER_ONLY = 0o600;
const shape = z.object({ OPERATOR_TOKEN: z.string(), MASTER_KEY: z.string() });

/** A new MASTER_KEY: 256 random bits in hexadecimal. */
export const newMasterKey = (): string => randomBytes(32).toString('hex');

/** New secrets for an embedded sandbox. */
export const newSecrets = () => ({ OPERATOR_TOKEN: `op_sandbox_${randomToken()}`, MASTER_KEY: newMasterKey() });

/**
 * The secrets of an embedded sandbox, from `secrets.json` under `dataDir`; made at the first call, for their owner alone
 * to read. They belong to the data beside them: what was encrypted with one MASTER_KEY cannot be decrypted with another.
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
