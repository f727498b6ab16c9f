import { z } from 'zod';
import type { OperatedTag } from '#modules/tag-control';
import { momentOut } from '#wire/moment.ts';

export const operatedTagShape = z.object({
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

export const toOperatedTag = (tag: OperatedTag): z.input<typeof operatedTagShape> => ({
  ...tag,
  createdAt: tag.createdAt.toISOString(),
  updatedAt: tag.updatedAt.toISOString(),
  closedAt: tag.closedAt?.toISOString(),
  availableFrom: tag.availableFrom?.toISOString(),
});
