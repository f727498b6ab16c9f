import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a PostgreSQL server says of itself in `postmaster.pid`. A part that it has not written yet is 0 or empty. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** `starting`, `ready`, `standby` or `stopping`. */
  readonly status: string;
}

/**
 * Reads `postmaster.pid` in the data directory `data`; undefined when there is none. A server that was killed leaves its
 * file behind, and the next one replaces it.
 *
 * @see https://www.postgresql.org/docs/18/storage-file-layout.html and `pidfile.h` for the lines: 1, 4 and 8
 */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
}
