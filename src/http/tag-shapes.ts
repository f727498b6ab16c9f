import { z } from 'zod';
import type { Subject } from '#modules/applications';
import type { OwnedTag, PublicTag } from '#modules/tags';

const moment = z.iso.datetime();

export const subjectShape = z
  .object({
    id: z.uuid(),
    applicationId: z.uuid(),
    applicationName: z.string(),
    externalId: z.string().optional().meta({ description: 'Shown to its own application' }),
    displayName: z.string().optional(),
    email: z.string().optional().meta({ description: 'Shown to its own application' }),
    imageUrl: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional().meta({ description: 'Shown to its own application' }),
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

export const toSubject = ({ createdAt, ...subject }: Subject): z.input<typeof subjectShape> => ({
  ...subject,
  createdAt: createdAt.toISOString(),
});

export function toTag({ canonicalOwner, createdAt, ...tag }: PublicTag | OwnedTag): z.input<typeof tagShape> {
  return {
    ...tag,
    canonicalOwner: canonicalOwner && { ...canonicalOwner, createdAt: canonicalOwner.createdAt.toISOString() },
    activeClaims: [],
    createdAt: createdAt.toISOString(),
  };
}
