import { z } from 'zod';
import { verbatim } from '#lib/text/input.ts';
import type { Subject } from '#modules/clients';
import type { Claim, DirectoryRow, PublicClaim } from '#modules/consent';
import type { OwnedTag } from '#modules/tags';
import { momentOut } from './moment.ts';
import { metadataOut, optional, text } from './text.ts';

/** Which of its subjects an application means: by our name for it, or by its own. */
export const subjectChoice = {
  subjectId: optional(z.uuid()),
  externalId: optional(text(200)).meta({ description: 'In place of subjectId' }),
};

export const subjectShape = z
  .object({
    id: z.uuid(),
    applicationId: z.uuid(),
    applicationName: z.string(),
    externalId: z.string().optional().meta({ description: 'Shown to its own application' }),
    displayName: z.string().optional(),
    email: z.string().optional().meta({ description: 'Shown to its own application' }),
    imageUrl: z.string().optional(),
    metadata: metadataOut.optional().meta({ description: 'Shown to its own application' }),
    createdAt: momentOut,
  })
  .meta({ id: 'Subject' });

/** A subject as its own application sees it. */
export const toSubject = ({ createdAt, ...subject }: Subject): z.input<typeof subjectShape> => ({
  ...subject,
  createdAt: createdAt.toISOString(),
});

export const claimState = z.enum([
  'PENDING',
  'APPROVED',
  'REJECTED',
  'CANCELLED',
  'EXPIRED',
  'REVOKED',
] satisfies Claim['state'][]);

export const claimShape = z
  .object({
    id: z.uuid(),
    tagId: z.uuid(),
    tagString: z.string().meta({ example: 'ada' }),
    subjectId: z.uuid(),
    subjectExternalId: z.string().optional().meta({ description: 'Shown to the two sides' }),
    requestedByAppId: z.uuid(),
    requestedByAppName: z.string(),
    state: claimState,
    requestedAt: momentOut,
    approvedAt: momentOut.optional(),
    revokedAt: momentOut.optional(),
    consentToken: z.string().optional().meta({ description: 'While PENDING' }),
    approvalUrl: z.string().optional().meta({ description: 'While PENDING: where the tag’s owner consents in person' }),
    tokenExpiresAt: momentOut.optional().meta({ description: 'Shown to the two sides' }),
  })
  .meta({ id: 'Claim' });

/** A claim as its two sides see it: the tag's owner's application, and the one that asked. */
export const toClaim = ({
  requestedAt,
  approvedAt,
  revokedAt,
  tokenExpiresAt,
  ...claim
}: Claim): z.input<typeof claimShape> => ({
  ...claim,
  requestedAt: requestedAt.toISOString(),
  approvedAt: approvedAt?.toISOString(),
  revokedAt: revokedAt?.toISOString(),
  tokenExpiresAt: tokenExpiresAt.toISOString(),
});

/** The path of an operation on one request for consent. */
export const consentParams = z.object({ consentToken: verbatim(z.string()) });

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
