import { z } from 'zod';
import { type Federation, type Link, type LinkRequest, linkStatuses } from '#modules/federations';
import { tagParams } from '#wire/claim.ts';
import { momentOut } from '#wire/moment.ts';

export const linkShape = z
  .object({
    id: z.uuid(),
    linkedTag: z.string().meta({ example: 'bola' }),
    status: z.enum(linkStatuses),
    verifiedBy: z.string().optional().meta({ description: 'How and by whom', example: 'OTP:acme' }),
    approvalUrl: z.string().optional().meta({
      description: 'While a customer’s consent is PENDING: where she gives it in person',
    }),
    createdAt: momentOut,
  })
  .meta({ id: 'Link' });

export const federationShape = z
  .object({
    id: z.uuid(),
    primaryTag: z.string().meta({ example: 'ada' }),
    links: z.array(linkShape).meta({ description: 'Newest first' }),
    createdAt: momentOut,
  })
  .meta({ id: 'Federation' });

export const toLink = ({ createdAt, ...link }: Link): z.input<typeof linkShape> => ({
  ...link,
  createdAt: createdAt.toISOString(),
});

export const toFederation = ({ id, primaryTag, links, createdAt }: Federation): z.input<typeof federationShape> => ({
  id,
  primaryTag,
  links: links.map(toLink),
  createdAt: createdAt.toISOString(),
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

export const approvalParams = z.object({ approvalToken: z.string() });

/** The path of an operation on one link: the primary tag, and the link's id. */
export const linkParams = tagParams.extend({ linkId: z.uuid() });
