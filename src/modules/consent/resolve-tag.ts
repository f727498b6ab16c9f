import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { gather } from '#lib/postgres/gathered-reads.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import type { LocalThrottle } from '#modules/limits';
import { parseAddress } from '#modules/tags';
import type { ClaimReadDeps } from './claim.ts';
import { type DirectoryRow, selectPublic } from './directory-store.ts';
import { readOwnTag } from './read-own-tag.ts';

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
  async function rowsOf(handles: string[]): Promise<DirectoryRow[]> {
    if (readPublic === undefined) return selectPublic(db, handles);
    const rows = await readPublic((on) => selectPublic(on, handles));
    const found = new Set(rows.map(({ handle }) => handle));
    const missing = handles.filter((handle) => !found.has(handle));
    return missing.length === 0 ? rows : [...rows, ...(await selectPublic(db, missing))];
  }

  const lookUp = gather(async (handles: readonly string[]) => {
    const rows = await rowsOf([...new Set(handles)]);
    const found = new Map(rows.map((row) => [row.handle, row]));
    return handles.map((handle) => found.get(handle));
  });

  return {
    async find(address) {
      const { handle, namespace } = parseAddress(address);
      const row = handle === undefined ? undefined : await lookUp(handle);
      return namespace !== undefined && namespace !== row?.namespace ? undefined : row;
    },
  };
}

/** What a miss counts in the limit, so that guessing tags costs more than knowing them. */
const MISS_COST = 20;

type OwnTag = NonNullable<Awaited<ReturnType<typeof readOwnTag>>>;

/**
 * The tag of an address: all of it for the application of its owner, and what the public may see for anybody else.
 *
 * @param asked.from whom the limit counts. The caller has taken one point for this look-up; a miss takes the rest of its cost
 * @throws DomainError TAG_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function resolveTag(
  deps: ClaimReadDeps & { directory: Directory; resolveLimit: LocalThrottle },
  asked: { address: string; caller: AuthenticatedApplication | undefined; from: string },
): Promise<{ own: OwnTag } | { own: undefined; shown: DirectoryRow }> {
  const { address, caller, from } = asked;
  const own = caller && (await readOwnTag(deps, caller, address));
  if (own !== undefined) return { own };
  const shown = await deps.directory.find(address);
  if (shown !== undefined) return { own: undefined, shown };
  deps.resolveLimit.take(from, MISS_COST - 1);
  throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
}
