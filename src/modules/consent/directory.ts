import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { gather } from '#lib/postgres/gathered-reads.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import type { LocalThrottle } from '#modules/limits';
import { findTag, type OwnedTag, parseAddress, toOwnedTag } from '#modules/tags';
import { type Claim, type ClaimReadDeps, toClaim } from './claim.ts';
import { selectOpenOfTag } from './claim-store.ts';
import { CLAIMS_MAX, type DirectoryRow, selectPublic } from './directory-store.ts';

/** The public register of tags. */
export interface Directory {
  /**
   * What the public may see of the tag of an address: `ada`, `@ada`, `ada@acme`. Read from the database every time, never
   * from a cache that could show a suspended tag; look-ups at the same moment share a read. Undefined for a closed tag,
   * another namespace, and a text that is no address.
   */
  find(address: string): Promise<DirectoryRow | undefined>;
}

/** Reads from a database whose rows may be a moment old. */
type ReadPublic = <Result>(read: (db: Database) => Promise<Result>) => Promise<Result>;

/**
 * A directory of this database.
 *
 * @param readPublic reads from a standby; a handle that is not found there is read from `db`
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

/** The points of a miss in the limit: guessing tags costs more than knowing them. */
const MISS_COST = 20;

type OwnTag = NonNullable<Awaited<ReturnType<typeof readOwnTag>>>;

/**
 * The tag of an address: all of it for the application of its owner, and what the public may see for everyone else.
 *
 * @param asked.from the key of the limit. The caller has taken one point for this look-up; a miss takes the rest of its cost
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

/**
 * The tag of an address for the application of its owner: everything about the owner, and the newest claims on it that
 * are approved or pending, with their consent tokens. Undefined for any other application, which sees what the public
 * sees (`Directory`).
 */
async function readOwnTag(
  deps: ClaimReadDeps,
  caller: AuthenticatedApplication,
  address: string,
): Promise<(OwnedTag & { activeClaims: Claim[] }) | undefined> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found?.ownerApp.id !== caller.id) return undefined;
  const open = await selectOpenOfTag(deps.db, { tagId: found.tag.id, limit: CLAIMS_MAX });
  const activeClaims = open.map((parts) => toClaim(deps, parts)).filter(({ state }) => state !== 'EXPIRED');
  return { ...toOwnedTag(deps.keyring, found), activeClaims };
}
