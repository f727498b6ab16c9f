import { z } from 'zod';
import { type Federation, type Link, linkStatuses } from '#modules/federations';
import { tagParams } from '../../http/claim-shapes.ts';

const moment = z.iso.datetime();

export const linkShape = z
  .object({
    id: z.uuid(),
    linkedTag: z.string().meta({ example: 'bola' }),
    status: z.enum(linkStatuses),
    verifiedBy: z.string().optional().meta({ description: 'How and by whom', example: 'OTP:acme' }),
    createdAt: moment,
  })
  .meta({ id: 'Link' });

export const federationShape = z
  .object({
    id: z.uuid(),
    primaryTag: z.string().meta({ example: 'ada' }),
    links: z.array(linkShape).meta({ description: 'Newest first' }),
    createdAt: moment,
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

/** The path of an operation on one link: the primary tag, and the link's id. */
export const linkParams = tagParams.extend({ linkId: z.uuid() });
