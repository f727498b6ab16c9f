import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory: a database of thousands of small files is made there for a third of what a disk takes. */
const MEMORY = '/dev/shm';
/** What the databases of all workers never come to, with room to spare. A container has less of it, if nobody asked for more. */
const MEMORY_MIN_BYTES = 3 * 1024 ** 3;

/** Where databases may lie, and stay when a run is killed. */
export const databaseFolders: readonly string[] = [tmpdir(), MEMORY];

/** An empty folder for a database, in memory where there is room. It is none for programs: a container may run nothing from memory. */
export const newDatabaseFolder = async (prefix: string): Promise<string> =>
  mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), prefix));

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_MIN_BYTES;
}
