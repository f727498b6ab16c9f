import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const shape = z.object({
  /** Without `webhookSecret` where an older demo made it. */
  partner: z.object({ clientId: z.string(), apiKey: z.string(), webhookSecret: z.string().optional() }),
  paytags: z.array(z.string()),
  password: z.string(),
  /** Reference of Ada's wallet. */
  wallet: z.string(),
  /** Serial number. */
  terminal: z.string(),
  applications: z.array(
    z.object({ name: z.string(), clientId: z.string(), clientSecret: z.string(), tag: z.string() }),
  ),
  /** A consent request for Ada to answer, and when it expires. */
  consent: z.object({ token: z.string(), until: z.iso.datetime() }),
});

/** What the demo made, with the secrets that the server shows only once. */
export type DemoCredentials = z.infer<typeof shape>;

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');

/** Reads `demo.json`; undefined when there is none, or when an older demo wrote it that made less than this one. */
export async function readCredentials(dataDir: string): Promise<DemoCredentials | undefined> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : shape.safeParse(JSON.parse(text)).data;
}

/** Writes `demo.json`, for its owner alone to read. The file appears whole, also when the process is killed meanwhile. */
export async function writeCredentials(dataDir: string, credentials: DemoCredentials): Promise<void> {
  const path = pathIn(dataDir);
  await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
