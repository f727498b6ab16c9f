import type { Pool } from 'pg';
import { parseAddress } from '#modules/tags';
import { type DirectoryRow, selectPublic } from './directory-store.ts';

/** Reads under way at once. While they are, what is asked is gathered for the next. */
const READS_MAX = 2;
/** Handles in one read at most. */
const BATCH_MAX = 256;

interface Asked {
  resolve: (row: DirectoryRow | undefined) => void;
  reject: (error: unknown) => void;
}

/** The public register of tags. */
export interface Directory {
  /**
   * What the public may see of the tag of an address: `ada`, `@ada`, `ada@acme`. Read from the database every time, never
   * from a cache that could show a suspended tag; what is asked at one moment shares a read. Undefined for a closed tag,
   * another namespace, and what cannot be an address.
   */
  find(address: string): Promise<DirectoryRow | undefined>;
}

export function createDirectory(pool: Pool): Directory {
  let waiting = new Map<string, Asked[]>();
  let reads = 0;
  let gathering = false;

  async function read(batch: ReadonlyMap<string, readonly Asked[]>): Promise<void> {
    try {
      const rows = await selectPublic(pool, [...batch.keys()]);
      const found = new Map(rows.map((row) => [row.handle, row]));
      for (const [handle, asked] of batch) for (const { resolve } of asked) resolve(found.get(handle));
    } catch (error) {
      for (const asked of batch.values()) for (const { reject } of asked) reject(error);
    }
  }

  /** What came in with the same turn of the event loop goes together. */
  function gather(): void {
    if (gathering) return;
    gathering = true;
    setImmediate(() => {
      gathering = false;
      pump();
    });
  }

  function pump(): void {
    while (reads < READS_MAX && waiting.size > 0) {
      const batch = takeBatch();
      reads += 1;
      void read(batch).finally(() => {
        reads -= 1;
        pump();
      });
    }
  }

  function takeBatch(): Map<string, Asked[]> {
    const all = waiting;
    if (all.size <= BATCH_MAX) {
      waiting = new Map();
      return all;
    }
    const entries = [...all];
    waiting = new Map(entries.slice(BATCH_MAX));
    return new Map(entries.slice(0, BATCH_MAX));
  }

  const ask = (handle: string): Promise<DirectoryRow | undefined> =>
    new Promise((resolve, reject) => {
      const asked = waiting.get(handle);
      if (asked === undefined) waiting.set(handle, [{ resolve, reject }]);
      else asked.push({ resolve, reject });
      gather();
    });

  return {
    async find(address) {
      const { handle, namespace } = parseAddress(address);
      const row = handle === undefined ? undefined : await ask(handle);
      return namespace !== undefined && namespace !== row?.namespace ? undefined : row;
    },
  };
}
