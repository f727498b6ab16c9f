import { z } from 'zod';
import { verbatim } from '#lib/text/input.ts';
import type { Claim } from '#modules/consent';
import { momentOut } from './moment.ts';

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
