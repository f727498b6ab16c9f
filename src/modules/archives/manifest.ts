import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '#lib/crypto/digest.ts';

export const MANIFEST = 'manifest.json';
/** The files of an archive, by what they hold. */
export const FILES = {
  entries: 'entries.csv.gz',
  accounts: 'accounts.csv.gz',
  transactions: 'transactions.jsonl.gz',
  seals: 'seals.txt',
} as const;

const file = z.object({ bytes: z.int(), sha256: z.string() });

/** What an archive says of itself. */
export type Manifest = z.output<typeof manifest>;
const manifest = z.object({
  /** How its files are written. Another way would be another number. */
  format: z.literal('paytag-archive/1'),
  /** The table that it was. */
  part: z.string().regex(/^entry_\w+$/),
  /** Null: everything before its end. */
  startsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime(),
  writtenAt: z.iso.datetime(),
  entries: z.int(),
  accounts: z.int(),
  /** SHA-256 of what the database carries on, of which `accounts.csv` begins with each line. */
  carriedDigest: z.string(),
  files: z.object({ entries: file, accounts: file, transactions: file, seals: file }),
});

/** @throws Error naming what is wrong with it */
export async function readManifest(directory: string): Promise<{ manifest: Manifest; digest: string }> {
  const path = join(directory, MANIFEST);
  const text = await readFile(path);
  const { data, error } = manifest.safeParse(JSON.parse(text.toString()));
  if (data === undefined) throw new Error(`${path} is not the manifest of an archive: ${z.prettifyError(error)}`);
  return { manifest: data, digest: sha256(text).toString('hex') };
}
