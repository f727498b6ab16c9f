import { z } from 'zod';
import type { Subject } from '#modules/applications';
import type { DirectoryRow, PublicClaim } from '#modules/claims';
import type { OwnedTag } from '#modules/tags';

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

const activeClaimShape = z
  .object({
    id: z.uuid(),
    tagId: z.uuid(),
    tagString: z.string(),
    subjectId: z.uuid(),
    requestedByAppId: z.uuid(),
    requestedByAppName: z.string(),
    state: z.literal('APPROVED'),
    requestedAt: moment,
    approvedAt: moment,
  })
  .meta({ id: 'ActiveClaim' });

export const tagShape = z
  .object({
    id: z.uuid(),
    tagString: z.string().meta({ example: 'ada' }),
    qualifiedAddress: z.string().meta({ example: 'ada@paytag' }),
    status: z.enum(['ACTIVE', 'SUSPENDED']),
    canonicalOwner: subjectShape.optional(),
    createdByAppId: z.uuid(),
    createdByAppName: z.string(),
    activeClaims: z.array(activeClaimShape).meta({ description: 'Those the owner consented to, newest first' }),
    createdAt: moment,
  })
  .meta({ id: 'Tag' });

export const toSubject = ({ createdAt, ...subject }: Subject): z.input<typeof subjectShape> => ({
  ...subject,
  createdAt: createdAt.toISOString(),
});

/** A tag as its owner's application sees it. */
export function toTag({ canonicalOwner, createdAt, ...tag }: OwnedTag): z.input<typeof tagShape> {
  return {
    ...tag,
    canonicalOwner: toSubject(canonicalOwner),
    activeClaims: [],
    createdAt: createdAt.toISOString(),
  };
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

const toPublicClaim = ({ requestedAtMs, approvedAtMs, ...claim }: PublicClaim) => ({
  ...claim,
  requestedAt: iso(requestedAtMs),
  approvedAt: iso(approvedAtMs),
});

/** A tag as the public sees it; a suspended one without its owner. */
export function toPublicTag(row: DirectoryRow): z.input<typeof tagShape> {
  return {
    id: row.id,
    tagString: row.handle,
    qualifiedAddress: `${row.handle}@${row.namespace}`,
    status: row.status,
    canonicalOwner:
      row.status === 'ACTIVE'
        ? {
            id: row.subjectId,
            applicationId: row.ownerAppId,
            applicationName: row.ownerAppName,
            displayName: row.displayName ?? undefined,
            imageUrl: row.imageUrl ?? undefined,
            createdAt: iso(row.subjectCreatedAtMs),
          }
        : undefined,
    createdByAppId: row.creatorId,
    createdByAppName: row.creatorName,
    activeClaims: row.claims?.map(toPublicClaim) ?? [],
    createdAt: iso(row.createdAtMs),
  };
}
