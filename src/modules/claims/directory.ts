import type { Database } from '#lib/postgres/executor.ts';
import { parseAddress } from '#modules/tags';
import { type DirectoryRow, selectPublic } from './directory-store.ts';

/** Reads in progress at once. Meanwhile look-ups are gathered for the next. */
const READS_MAX = 2;
/** The most handles in one read. */
const BATCH_MAX = 256;

/** Somebody who waits for a row. */
interface Lookup {
  resolve: (row: DirectoryRow | undefined) => void;
  reject: (error: unknown) => void;
}

/** The public register of tags. */
export interface Directory {
  /**
   * What the public may see of the tag of an address: `ada`, `@ada`, `ada@acme`. Read from the database every time, never
   * from a cache that could show a suspended tag; look-ups of one moment share a read. Undefined for a closed tag,
   * another namespace, and what cannot be an address.
   */
  find(address: string): Promise<DirectoryRow | undefined>;
}

/** Reads what anybody may see where it may be a moment old. */
type ReadPublic = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>;

/**
 * A directory of this database.
 *
 * @param readPublic reads elsewhere, what may be a moment old: who is not found there is looked for here
 */
export function createDirectory(db: Database, readPublic?: ReadPublic): Directory {
  let waiting = new Map<string, Lookup[]>();
  let reads = 0;
  let gathering = false;

  async function rowsOf(handles: string[]): Promise<DirectoryRow[]> {
    if (readPublic === undefined) return selectPublic(db, handles);
    const rows = await readPublic((on) => selectPublic(on, handles));
    const found = new Set(rows.map(({ handle }) => handle));
    const missing = handles.filter((handle) => !found.has(handle));
    return missing.length === 0 ? rows : [...rows, ...(await selectPublic(db, missing))];
  }

  async function read(batch: ReadonlyMap<string, readonly Lookup[]>): Promise<void> {
    try {
      const rows = await rowsOf([...batch.keys()]);
      const found = new Map(rows.map((row) => [row.handle, row]));
      for (const [handle, lookups] of batch) for (const { resolve } of lookups) resolve(found.get(handle));
    } catch (error) {
      for (const lookups of batch.values()) for (const { reject } of lookups) reject(error);
    }
  }

  /** Look-ups of one turn of the event loop share a read. */
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

  function takeBatch(): Map<string, Lookup[]> {
    const all = waiting;
    if (all.size <= BATCH_MAX) {
      waiting = new Map();
      return all;
    }
    const entries = [...all];
    waiting = new Map(entries.slice(BATCH_MAX));
    return new Map(entries.slice(0, BATCH_MAX));
  }

  const lookUp = (handle: string): Promise<DirectoryRow | undefined> =>
    new Promise((resolve, reject) => {
      const lookups = waiting.get(handle);
      if (lookups === undefined) waiting.set(handle, [{ resolve, reject }]);
      else lookups.push({ resolve, reject });
      gather();
    });

  return {
    async find(address) {
      const { handle, namespace } = parseAddress(address);
      const row = handle === undefined ? undefined : await lookUp(handle);
      return namespace !== undefined && namespace !== row?.namespace ? undefined : row;
    },
  };
}
