import { z } from 'zod';
import type { TagForOperator } from '#modules/tags';
import { momentOut } from '#wire/moment.ts';

export const tagShape = z.object({
  id: z.uuid(),
  tagString: z.string(),
  qualifiedAddress: z.string(),
  status: z.enum(['ACTIVE', 'SUSPENDED', 'CLOSED']),
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
