import { DomainError } from '#lib/domain-error.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import type { LocalThrottle } from '#modules/throttles';
import type { ClaimReadDeps } from './claim.ts';
import type { Directory } from './directory.ts';
import type { DirectoryRow } from './directory-store.ts';
import { readOwnTag } from './read-own-tag.ts';

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
