import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createOnce } from '#lib/create-once.ts';
import { randomToken } from '#lib/random.ts';

const OWNER_ONLY = 0o600;
const kept = z.object({ OPERATOR_TOKEN: z.string(), MASTER_KEY: z.string() });

/** 256 random bits as hexadecimal, as MASTER_KEY is given. */
export const newMasterKey = (): string => randomBytes(32).toString('hex');

/**
 * The secrets of an embedded sandbox: made once, kept in `secrets.json` under `dataDir`, readable by its owner alone.
 * They belong to the data beside them: what was sealed with one MASTER_KEY opens with no other.
 *
 * @throws Error when the file is there but cannot be read as what was written
 */
export async function generatedSecrets(dataDir: string): Promise<Record<string, string>> {
  const file = join(dataDir, 'secrets.json');
  const fresh = { OPERATOR_TOKEN: `op_sandbox_${randomToken()}`, MASTER_KEY: newMasterKey() };
  await mkdir(dataDir, { recursive: true });
  await createOnce(file, `${JSON.stringify(fresh, null, 2)}\n`, OWNER_ONLY);
  try {
    return kept.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} is damaged: restore it, or remove ${dataDir} to begin with an empty sandbox`, { cause });
  }
}
