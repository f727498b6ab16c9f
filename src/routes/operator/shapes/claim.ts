import { z } from 'zod';
import type { ClaimForOperator, LinkForOperator } from '#modules/consent';
import { claimState } from '#wire/claim.ts';
import { momentOut } from '#wire/moment.ts';

/** A claim, as the operator sees it. */
export const claimForOperatorShape = z.object({
  id: z.uuid(),
  tagId: z.uuid(),
  tagString: z.string().meta({ example: 'ada' }),
  subjectId: z.uuid(),
  subjectExternalId: z.string().meta({ description: 'The requester’s own id of whom the tag would reach' }),
  requestedByAppId: z.uuid(),
  requestedByAppName: z.string(),
  state: claimState,
  requestedAt: momentOut,
  approvedAt: momentOut.optional(),
  revokedAt: momentOut.optional(),
  tokenExpiresAt: momentOut,
});

export const toClaimForOperator = (claim: ClaimForOperator): z.input<typeof claimForOperatorShape> => ({
  ...claim,
  requestedAt: claim.requestedAt.toISOString(),
  approvedAt: claim.approvedAt?.toISOString(),
  revokedAt: claim.revokedAt?.toISOString(),
  tokenExpiresAt: claim.tokenExpiresAt.toISOString(),
});

export const linkStatus = z.enum([
  'PENDING',
  'VERIFIED',
  'REJECTED',
  'FAILED',
  'EXPIRED',
  'REVOKED',
] satisfies LinkForOperator['status'][]);

/** A link of a federation, as the operator sees it. */
export const linkForOperatorShape = z.object({
  id: z.uuid(),
  primaryTag: z.string().meta({ example: 'ada' }),
  primaryAppId: z.uuid(),
  linkedTag: z.string().meta({ example: 'ada.market' }),
  linkedAppId: z.uuid(),
  status: linkStatus,
  method: z.enum(['OTP', 'CONSENT', 'ATTESTATION']),
  verifiedBy: z.string().optional().meta({ description: 'How and by whom', example: 'OTP:acme' }),
  verifiedAt: momentOut.optional(),
  expiresAt: momentOut.meta({ description: 'Until then it could or can be verified' }),
  createdAt: momentOut,
  updatedAt: momentOut,
});

export const toLinkForOperator = (link: LinkForOperator): z.input<typeof linkForOperatorShape> => ({
  ...link,
  verifiedAt: link.verifiedAt?.toISOString(),
  expiresAt: link.expiresAt.toISOString(),
  createdAt: link.createdAt.toISOString(),
  updatedAt: link.updatedAt.toISOString(),
});
