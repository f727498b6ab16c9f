import { z } from 'zod';
import { verbatim } from '#lib/text/input.ts';
import type { ConsentRequest } from '#modules/consent';
import { type LinkRequest, linkStatuses } from '#modules/consent';
import { momentOut } from '#wire/moment.ts';
import { claimState } from '#wire/tag.ts';

export const consentRequestShape = z
  .object({
    consentId: z.uuid(),
    tagString: z.string(),
    qualifiedAddress: z.string(),
    requestedByAppId: z.uuid(),
    requestedByAppName: z.string(),
    requestedByAppImageUrl: z.string().optional(),
    subjectDisplayName: z.string().optional().meta({ description: 'For whom it asks' }),
    state: claimState,
    ownerConfirmedAt: momentOut.optional(),
    requestedAt: momentOut,
    tokenExpiresAt: momentOut,
  })
  .meta({ id: 'ConsentRequest' });

/** What the holder of a consent token may know of the claim. */
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

export const linkRequestShape = z
  .object({
    linkId: z.uuid(),
    requestedByAppId: z.uuid(),
    requestedByAppName: z.string(),
    primaryTag: z.string().meta({ example: 'ada' }),
    primaryAddress: z.string().meta({ example: 'ada@acme' }),
    tagString: z.string().meta({ description: 'The customer’s PayTag', example: 'bola' }),
    qualifiedAddress: z.string().meta({ example: 'bola@paytag' }),
    status: z.enum(linkStatuses),
    requestedAt: momentOut,
    expiresAt: momentOut,
  })
  .meta({ id: 'LinkRequest' });

/** What the holder of an approval token may know of the link. */
export const toLinkRequest = (request: LinkRequest): z.input<typeof linkRequestShape> => ({
  linkId: request.linkId,
  requestedByAppId: request.requestedByAppId,
  requestedByAppName: request.requestedByAppName,
  primaryTag: request.primaryTag,
  primaryAddress: request.primaryAddress,
  tagString: request.tagString,
  qualifiedAddress: request.qualifiedAddress,
  status: request.status,
  requestedAt: request.requestedAt.toISOString(),
  expiresAt: request.expiresAt.toISOString(),
});

/** The path of an operation on one request for a link. */
export const approvalParams = z.object({ approvalToken: verbatim(z.string()) });
