import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { type Claim, toClaim } from './claim.ts';
import { CLAIMS_MAX } from './directory-store.ts';
import { selectOfTag } from './store.ts';

/** The newest claims on a tag that are pending or approved, newest first, as its owner's application sees them. */
export async function openClaims(
  deps: { db: Database; keyring: Keyring; clock: Clock; publicUrl: string },
  tagId: string,
): Promise<Claim[]> {
  const found = await selectOfTag(deps.db, { tagId, states: ['PENDING', 'APPROVED'] }, CLAIMS_MAX);
  return found.map((parts) => toClaim(deps, parts)).filter(({ state }) => state !== 'EXPIRED');
}
