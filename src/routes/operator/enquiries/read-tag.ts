import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type ClaimForOperator, findClaims, findLinks, type LinkForOperator } from '#modules/consent';
import { getTagForOperator, type TagForOperator } from '#modules/tags';

const SHOWN = { limit: 100, offset: 0, isUncounted: true };

/** A tag with what was agreed on it. */
export interface TagInFull extends TagForOperator {
  /** Newest first, a hundred at most. */
  claims: ClaimForOperator[];
  links: LinkForOperator[];
}

/** The tag of an address, closed or not, with its claims and links. @throws DomainError TAG_NOT_FOUND */
export async function readTag({ db, clock }: { db: Database; clock: Clock }, address: string): Promise<TagInFull> {
  const tag = await getTagForOperator({ db }, address);
  const [claims, links] = await Promise.all([
    findClaims({ db, clock }, { tag: tag.tagString, ...SHOWN }),
    findLinks({ db, clock }, { tag: tag.tagString, ...SHOWN }),
  ]);
  return { ...tag, claims: claims.items, links: links.items };
}
