import { z } from 'zod';
import type { Claim, DirectoryRow, PublicClaim } from '#modules/consent';
import type { OwnedTag } from '#modules/tags';
import { claimShape, toClaim } from './claim.ts';
import { momentOut } from './moment.ts';
import { subjectShape, toSubject } from './subject.ts';

/** The path of an operation on one tag. */
export const tagParams = z.object({ tag: z.string().meta({ example: 'ada' }) });

export const tagShape = z
  .object({
    id: z.uuid(),
    tagString: z.string().meta({ example: 'ada' }),
    qualifiedAddress: z.string().meta({ example: 'ada@paytag' }),
    status: z.enum(['ACTIVE', 'SUSPENDED']),
    canonicalOwner: subjectShape.optional(),
    createdByAppId: z.uuid(),
    createdByAppName: z.string(),
    activeClaims: z.array(claimShape).meta({
      description: 'Those the owner consented to, newest first; for the owner’s application also the pending ones',
    }),
    createdAt: momentOut,
  })
  .meta({ id: 'Tag' });

/** A tag as its owner's application sees it. */
export function toTag({
  canonicalOwner,
  createdAt,
  activeClaims,
  ...tag
}: OwnedTag & { activeClaims: readonly Claim[] }): z.input<typeof tagShape> {
  return {
    ...tag,
    canonicalOwner: toSubject(canonicalOwner),
    activeClaims: activeClaims.map(toClaim),
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
