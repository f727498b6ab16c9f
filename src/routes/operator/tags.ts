import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { changeTagStatus } from '#modules/accounts';
import { type ClaimForOperator, findClaims, findLinks, type LinkForOperator } from '#modules/consent';
import { getTagForOperator, listTags, type TagForOperator } from '#modules/tags';
import { momentIn, momentOut } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { claimState, tagParams } from '#wire/tag.ts';
import { optional, text } from '#wire/text.ts';
import { statusAction } from './actions.ts';

/** A claim, as the operator sees it. */
const claimForOperatorShape = z.object({
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

const toClaimForOperator = (claim: ClaimForOperator): z.input<typeof claimForOperatorShape> => ({
  ...claim,
  requestedAt: claim.requestedAt.toISOString(),
  approvedAt: claim.approvedAt?.toISOString(),
  revokedAt: claim.revokedAt?.toISOString(),
  tokenExpiresAt: claim.tokenExpiresAt.toISOString(),
});

const linkStatus = z.enum([
  'PENDING',
  'VERIFIED',
  'REJECTED',
  'FAILED',
  'EXPIRED',
  'REVOKED',
] satisfies LinkForOperator['status'][]);

/** A link of a federation, as the operator sees it. */
const linkForOperatorShape = z.object({
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

const toLinkForOperator = (link: LinkForOperator): z.input<typeof linkForOperatorShape> => ({
  ...link,
  verifiedAt: link.verifiedAt?.toISOString(),
  expiresAt: link.expiresAt.toISOString(),
  createdAt: link.createdAt.toISOString(),
  updatedAt: link.updatedAt.toISOString(),
});

const tagStatus = z.enum(['ACTIVE', 'SUSPENDED', 'CLOSED'] satisfies TagForOperator['status'][]);

const tagShape = z.object({
  id: z.uuid(),
  tagString: z.string(),
  qualifiedAddress: z.string(),
  status: tagStatus,
  ownerId: z.uuid(),
  ownerApplicationId: z.uuid(),
  ownerApplicationName: z.string(),
  createdByAppId: z.uuid(),
  createdAt: momentOut,
  updatedAt: momentOut,
  closedAt: momentOut.optional(),
  availableFrom: momentOut.optional(),
});

/** A tag with where it stands, closed ones among them. */
const toTag = (tag: TagForOperator): z.input<typeof tagShape> => ({
  ...tag,
  createdAt: tag.createdAt.toISOString(),
  updatedAt: tag.updatedAt.toISOString(),
  closedAt: tag.closedAt?.toISOString(),
  availableFrom: tag.availableFrom?.toISOString(),
});

/** A tag with what was agreed on it. */
const tagInFullShape = tagShape.extend({
  claims: z.array(claimForOperatorShape).meta({ description: 'Newest first, a hundred at most' }),
  links: z.array(linkForOperatorShape).meta({ description: 'On either side of it, newest first, a hundred at most' }),
});

const toTagInFull = ({ claims, links, ...tag }: TagInFull): z.input<typeof tagInFullShape> => ({
  ...toTag(tag),
  claims: claims.map(toClaimForOperator),
  links: links.map(toLinkForOperator),
});

const claimsPages = pagedBy('claims', uuidKey);

const claimsQuerystring = claimsPages.query.extend({
  tag: optional(text(100)).meta({ description: 'Only those on this tag', example: 'ada' }),
  applicationId: optional(z.uuid()).meta({ description: 'The application that asked' }),
  state: optional(claimState),
  from: optional(momentIn).meta({ description: 'Asked for then or later' }),
  to: optional(momentIn).meta({ description: 'Asked for before' }),
});

export function getClaims(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findClaims>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/claims',
    {
      schema: {
        operationId: 'listClaims',
        summary: 'Requests of applications for the consent of tags’ owners, newest first',
        querystring: claimsQuerystring,
        response: { 200: listOf(claimForOperatorShape) },
      },
    },
    async ({ actor, query }) => {
      const { applicationId, ...asked } = query;
      const found = await readLong(actor, async (db) =>
        findClaims({ ...deps, db }, { requestedByAppId: applicationId, ...asked }),
      );
      return claimsPages.page(found, query, toClaimForOperator);
    },
  );
}

const federationsPages = pagedBy('links', uuidKey);

const federationsQuerystring = federationsPages.query.extend({
  tag: optional(text(100)).meta({ description: 'Only those of this tag, on either side', example: 'ada' }),
  applicationId: optional(z.uuid()).meta({ description: 'Whose is a tag on either side' }),
  status: optional(linkStatus),
  from: optional(momentIn).meta({ description: 'Begun then or later' }),
  to: optional(momentIn).meta({ description: 'Begun before' }),
});

export function getFederations(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findLinks>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/federations',
    {
      schema: {
        operationId: 'listLinks',
        summary: 'Links between tags of different applications, newest first',
        querystring: federationsQuerystring,
        response: { 200: listOf(linkForOperatorShape) },
      },
    },
    async ({ actor, query }) => {
      const found = await readLong(actor, async (db) => findLinks({ ...deps, db }, query));
      return federationsPages.page(found, query, toLinkForOperator);
    },
  );
}

export function getTagsByTag(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readTag>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/tags/:tag',
    {
      schema: {
        operationId: 'getTag',
        summary: 'A tag, also a closed one, with its claims and links, and from when on its handle can be had',
        params: tagParams,
        response: { 200: tagInFullShape, ...failuresFor('TAG_NOT_FOUND') },
      },
    },
    async ({ actor, params }) => toTagInFull(await readLong(actor, async (db) => readTag({ ...deps, db }, params.tag))),
  );
}

export function postTagsClose(app: ZodApp, deps: DepsOf<typeof changeTagStatus>): void {
  app.post(
    '/tags/:tag/close',
    {
      schema: {
        ...statusAction(tagParams, tagShape, 'TAG_NOT_FOUND', 'TAG_STATUS_CONFLICT'),
        operationId: 'closeTag',
        summary: 'Close a tag for good: its claims end, and its handle is blocked for ninety days',
      },
    },
    async ({ params, body, actor }) =>
      toTag(await changeTagStatus(deps, { ...body, address: params.tag, action: 'close', actor })),
  );
}

export function postTagsRestore(app: ZodApp, deps: DepsOf<typeof changeTagStatus>): void {
  app.post(
    '/tags/:tag/restore',
    {
      schema: {
        ...statusAction(tagParams, tagShape, 'TAG_NOT_FOUND', 'TAG_STATUS_CONFLICT'),
        operationId: 'restoreTag',
        summary: 'Give a suspended tag back',
      },
    },
    async ({ params, body, actor }) =>
      toTag(await changeTagStatus(deps, { ...body, address: params.tag, action: 'restore', actor })),
  );
}

export function postTagsSuspend(app: ZodApp, deps: DepsOf<typeof changeTagStatus>): void {
  app.post(
    '/tags/:tag/suspend',
    {
      schema: {
        ...statusAction(tagParams, tagShape, 'TAG_NOT_FOUND', 'TAG_STATUS_CONFLICT'),
        operationId: 'suspendTag',
        summary: 'Suspend a tag: it shows no profile, is paid nothing, and nothing is agreed on it',
      },
    },
    async ({ params, body, actor }) =>
      toTag(await changeTagStatus(deps, { ...body, address: params.tag, action: 'suspend', actor })),
  );
}

const listPages = pagedBy('tags', uuidKey);

const listQuerystring = listPages.query.extend({
  createdByAppId: optional(z.uuid()).meta({ description: 'The application that made it' }),
  status: optional(tagStatus),
  readsAsNumber: optional(z.enum(['true'])).meta({
    description:
      'Only those that have no letter, or read as a phone or account number: they are not given out any more',
  }),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
});

export function getTags(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/tags',
    {
      schema: {
        operationId: 'listTags',
        summary: 'Tags, PayTags among them, newest first; closed ones too until their handle is given out again',
        querystring: listQuerystring,
        response: { 200: listOf(tagShape) },
      },
    },
    async ({ actor, query }) => {
      const asked = { ...query, readsAsNumber: query.readsAsNumber === 'true' };
      return listPages.page(await readLong(actor, async (db) => listTags({ db }, asked)), query, toTag);
    },
  );
}

const SHOWN = { limit: 100, offset: 0, isUncounted: true };

/** A tag with what was agreed on it. */
export interface TagInFull extends TagForOperator {
  /** Newest first, a hundred at most. */
  claims: ClaimForOperator[];
  links: LinkForOperator[];
}

/** The tag of an address, closed or not, with its claims and links. @throws DomainError TAG_NOT_FOUND */
export async function readTag({ db, clock }: { db: Database; clock: Clock }, address: string): Promise<TagInFull> {
  const tag = await getTagForOperator({ db }, address);
  const [claims, links] = await Promise.all([
    findClaims({ db, clock }, { tag: tag.tagString, ...SHOWN }),
    findLinks({ db, clock }, { tag: tag.tagString, ...SHOWN }),
  ]);
  return { ...tag, claims: claims.items, links: links.items };
}
