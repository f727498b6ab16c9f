import type { Subject } from '#modules/applications';
import type { PublicTag } from './resolve-tag.ts';

/** A tag as its owner's application sees it: with all of the owner, suspended or not. */
export interface OwnedTag extends Omit<PublicTag, 'canonicalOwner'> {
  canonicalOwner: Subject;
}
