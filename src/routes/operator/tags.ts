import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { changeTagStatus } from '#modules/accounts';
import { findClaims, findLinks } from '#modules/consent';
import { listTags } from '#modules/tags';
import { claimState } from '#wire/claim.ts';
import { momentIn } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { tagParams } from '#wire/tag.ts';
import { optional, text } from '#wire/text.ts';
import { readTag } from './enquiries/read-tag.ts';
import {
  claimForOperatorShape,
  linkForOperatorShape,
  linkStatus,
  toClaimForOperator,
  toLinkForOperator,
} from './shapes/claim.ts';
import { tagInFullShape, tagShape, tagStatus, toTag, toTagInFull } from './shapes/tag.ts';
import { statusAction } from './status-action.ts';

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
        summary: 'Close a tag for good: its claims end, and nobody can have it for ninety days',
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
      'Only those that have no letter, or read as a phone or account number: nobody gets such a one any more',
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
        summary: 'Tags, PayTags among them, newest first; closed ones too while nobody else has their handle',
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
