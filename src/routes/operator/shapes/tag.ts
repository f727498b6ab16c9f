import { z } from 'zod';
import type { TagForOperator } from '#modules/tags';
import { momentOut } from '#wire/moment.ts';
import type { TagInFull } from '../enquiries/read-tag.ts';
import { claimForOperatorShape, linkForOperatorShape, toClaimForOperator, toLinkForOperator } from './claim.ts';

export const tagStatus = z.enum(['ACTIVE', 'SUSPENDED', 'CLOSED'] satisfies TagForOperator['status'][]);

export const tagShape = z.object({
  id: z.uuid(),
  tagString: z.string(),
  qualifiedAddress: z.string(),
  status: tagStatus,
  ownerId: z.uuid(),
  ownerApplicationId: z.uuid(),
  ownerApplicationName: z.string(),
  createdByAppId: z.uuid(),
  createdAt: momentOut,
  updatedAt: momentOut,
  closedAt: momentOut.optional(),
  availableFrom: momentOut.optional(),
});

/** A tag with where it stands, closed ones among them. */
export const toTag = (tag: TagForOperator): z.input<typeof tagShape> => ({
  ...tag,
  createdAt: tag.createdAt.toISOString(),
  updatedAt: tag.updatedAt.toISOString(),
  closedAt: tag.closedAt?.toISOString(),
  availableFrom: tag.availableFrom?.toISOString(),
});

/** A tag with what was agreed on it. */
export const tagInFullShape = tagShape.extend({
  claims: z.array(claimForOperatorShape).meta({ description: 'Newest first, a hundred at most' }),
  links: z.array(linkForOperatorShape).meta({ description: 'On either side of it, newest first, a hundred at most' }),
});

export const toTagInFull = ({ claims, links, ...tag }: TagInFull): z.input<typeof tagInFullShape> => ({
  ...toTag(tag),
  claims: claims.map(toClaimForOperator),
  links: links.map(toLinkForOperator),
});
