import type { Subject } from '#modules/applications';

/** A tag as its owner's application sees it: with all of the owner, suspended or not. */
export interface OwnedTag {
  id: string;
  tagString: string;
  qualifiedAddress: string;
  status: 'ACTIVE' | 'SUSPENDED';
  canonicalOwner: Subject;
  createdByAppId: string;
  createdByAppName: string;
  createdAt: Date;
}
