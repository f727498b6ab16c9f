import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const shape = z.object({
  partner: z.object({ clientId: z.string(), apiKey: z.string() }),
  paytags: z.array(z.string()),
  password: z.string(),
  wallet: z.string(),
  /** Serial number. */
  terminal: z.string(),
  applications: z.array(
    z.object({ name: z.string(), clientId: z.string(), clientSecret: z.string(), tag: z.string() }),
  ),
  /** What Ada is asked for, and until when. */
  consent: z.object({ token: z.string(), until: z.iso.datetime() }),
});

/** What the demo made, with the secrets that a server shows only once. */
export type DemoNotes = z.infer<typeof shape>;

const notesIn = (dataDir: string): string => join(dataDir, 'demo.json');

/** Undefined when there are none, and when they are of a demo that made less than today's. */
export async function readNotes(dataDir: string): Promise<DemoNotes | undefined> {
  const text = await readFile(notesIn(dataDir), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : shape.safeParse(JSON.parse(text)).data;
}

/** All or nothing: a note that is there is whole. */
export async function writeNotes(dataDir: string, notes: DemoNotes): Promise<void> {
  const path = notesIn(dataDir);
  await writeFile(`${path}.new`, `${JSON.stringify(notes, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
