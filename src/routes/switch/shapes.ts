import { z } from 'zod';
import type { PublicTag } from '#modules/tags';

const moment = z.iso.datetime();

const subjectShape = z
  .object({
    id: z.uuid(),
    applicationId: z.uuid(),
    applicationName: z.string(),
    displayName: z.string().optional(),
    imageUrl: z.string().optional(),
    createdAt: moment,
  })
  .meta({ id: 'Subject' });

export const tagShape = z
  .object({
    id: z.uuid(),
    tagString: z.string().meta({ example: 'ada' }),
    qualifiedAddress: z.string().meta({ example: 'ada@paytag' }),
    status: z.enum(['ACTIVE', 'SUSPENDED']),
    canonicalOwner: subjectShape.optional(),
    createdByAppId: z.uuid(),
    createdByAppName: z.string(),
    activeClaims: z.array(z.unknown()).max(0),
    createdAt: moment,
  })
  .meta({ id: 'Tag' });

export function toTag({ canonicalOwner, createdAt, ...tag }: PublicTag): z.input<typeof tagShape> {
  return {
    ...tag,
    canonicalOwner: canonicalOwner && { ...canonicalOwner, createdAt: canonicalOwner.createdAt.toISOString() },
    activeClaims: [],
    createdAt: createdAt.toISOString(),
  };
}
