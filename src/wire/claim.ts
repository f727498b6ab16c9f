import { z } from 'zod';
import { type Attestation, type Claim, type ConsentRequest, claimStates } from '#modules/claims';
import { momentOut } from './moment.ts';

export const claimShape = z
  .object({
    id: z.uuid(),
    tagId: z.uuid(),
    tagString: z.string().meta({ example: 'ada' }),
    subjectId: z.uuid(),
    subjectExternalId: z.string().optional().meta({ description: 'Shown to the two sides' }),
    requestedByAppId: z.uuid(),
    requestedByAppName: z.string(),
    state: z.enum(claimStates),
    requestedAt: momentOut,
    approvedAt: momentOut.optional(),
    revokedAt: momentOut.optional(),
    consentToken: z.string().optional().meta({ description: 'While PENDING' }),
    approvalUrl: z.string().optional().meta({ description: 'While PENDING: where the tag’s owner consents in person' }),
    tokenExpiresAt: momentOut.optional().meta({ description: 'Shown to the two sides' }),
  })
  .meta({ id: 'Claim' });

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

export const attestationShape = z
  .object({
    token: z.string().meta({
      description: 'A JWT (ES256, typ consent-attestation+jwt) for the requesting application, verifiable by JWKS',
    }),
    expiresAt: z.int().meta({ description: 'Seconds since 1970' }),
    tag: z.string(),
    subjectId: z.string(),
    consentId: z.string(),
  })
  .meta({ id: 'ConsentAttestation' }) satisfies z.ZodType<Attestation>;

export const consentRequestShape = z
  .object({
    consentId: z.uuid(),
    tagString: z.string(),
    qualifiedAddress: z.string(),
    requestedByAppId: z.uuid(),
    requestedByAppName: z.string(),
    requestedByAppImageUrl: z.string().optional(),
    subjectDisplayName: z.string().optional().meta({ description: 'For whom it asks' }),
    state: z.enum(claimStates),
    ownerConfirmedAt: momentOut.optional(),
    requestedAt: momentOut,
    tokenExpiresAt: momentOut,
  })
  .meta({ id: 'ConsentRequest' });

export const toConsentRequest = (request: ConsentRequest): z.input<typeof consentRequestShape> => ({
  consentId: request.consentId,
  tagString: request.tagString,
  qualifiedAddress: request.qualifiedAddress,
  requestedByAppId: request.requestedByAppId,
  requestedByAppName: request.requestedByAppName,
  requestedByAppImageUrl: request.requestedByAppImageUrl,
  subjectDisplayName: request.subjectDisplayName,
  state: request.state,
  ownerConfirmedAt: request.ownerConfirmedAt?.toISOString(),
  requestedAt: request.requestedAt.toISOString(),
  tokenExpiresAt: request.tokenExpiresAt.toISOString(),
});

export const tagParams = z.object({ tag: z.string().meta({ example: 'ada' }) });
export const claimParams = tagParams.extend({ claimId: z.uuid() });
export const consentParams = z.object({ consentToken: z.string() });
