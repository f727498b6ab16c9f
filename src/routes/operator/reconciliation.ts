import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getImport, importFile, listImports, listItems, postable, resolveItem, textOf } from '#modules/reconciliation';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, reason, shownName, text } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { listOrFile } from './list-or-file.ts';
import { approvalShape } from './shapes/approval.ts';
import { BODY_MAX, fileBody, kindOf } from './shapes/bank-file.ts';
import { idParams } from './shapes/params.ts';
import {
  comparedImportShape,
  dayIn,
  importShape,
  itemShape,
  itemStatus,
  rail,
  toComparedImport,
  toImport,
  toItem,
} from './shapes/reconciliation.ts';

export function getReconciliationImportsById(app: ZodApp, deps: DepsOf<typeof getImport>): void {
  app.get(
    '/reconciliation/imports/:id',
    {
      schema: {
        operationId: 'getBankImport',
        summary: 'A file of a bank, and how it compares with our books now',
        params: idParams,
        response: { 200: comparedImportShape, ...failuresFor('IMPORT_NOT_FOUND') },
      },
    },
    async ({ params }) => toComparedImport(await getImport(deps, params.id)),
  );
}

const pages = pagedBy('reconciliation-imports', uuidKey);
const importsQuery = pages.query.extend({ rail: optional(rail) });

export function getReconciliationImports(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/reconciliation/imports',
    {
      schema: {
        operationId: 'listBankImports',
        summary: 'Files of banks that were imported, newest first',
        querystring: importsQuery,
        response: { 200: listOf(importShape) },
      },
    },
    async ({ actor, query: asked }) =>
      pages.page(await readLong(actor, async (db) => listImports({ db }, asked)), asked, toImport),
  );
}

const list = listOrFile('reconciliation', pagedBy('reconciliation-items', uuidKey), itemShape);

const itemsQuery = list.query.extend({
  rail: optional(rail),
  status: optional(itemStatus),
  importId: optional(z.uuid()),
  from: optional(dayIn).meta({ description: 'Of this day or later: the bank’s, or of a posting alone ours' }),
  to: optional(dayIn).meta({ description: 'Of this day or earlier' }),
});

export function getReconciliationItems(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listItems>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/reconciliation/items',
    {
      schema: {
        operationId: 'listReconciliationItems',
        summary: 'Lines of banks and postings of ours, and whether each has the other, newest first',
        querystring: itemsQuery,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, async (db) => listItems({ ...deps, db }, { ...asked, ...page })),
        toItem,
      });
    },
  );
}

export function postReconciliationImports(app: ZodApp, deps: DepsOf<typeof importFile>): void {
  app.post(
    '/reconciliation/imports',
    {
      bodyLimit: BODY_MAX,
      schema: {
        operationId: 'importBankFile',
        summary: 'Read a bank’s file, and compare it with our books',
        body: fileBody,
        response: {
          200: comparedImportShape.describe('The same file was imported before'),
          201: comparedImportShape,
          ...failuresFor('BANK_FILE_UNREADABLE', 'BANK_FILE_DOES_NOT_TIE', 'BANK_FILE_UNPROVED'),
        },
      },
    },
    async ({ body, actor }, reply) => {
      // A large file was read as a body until now: others have their turn before it is decoded.
      await turn();
      const { content, encoding, charset, ...given } = body;
      const imported = await importFile(deps, {
        ...given,
        actor,
        content: encoding === 'text' ? content : textOf(Buffer.from(content, 'base64'), charset),
        kind: kindOf(body),
      });
      reply.code(imported.isNew ? 201 : 200);
      return toComparedImport(imported);
    },
  );
}

const body = z.discriminatedUnion(
  'action',
  [
    z.object({
      action: z.literal('MATCH'),
      transactionId: z.int().min(1).meta({ description: 'Our posting on the clearing account of the rail' }),
      reason,
    }),
    z.object({ action: z.literal('TIMING'), reason }),
    z.object({ action: z.literal('DISTINCT'), reason }),
    z.object({
      action: z.literal('BOOK'),
      nuban: text(10).meta({ description: 'Of the wallet that it came in for' }),
      senderName: optional(shownName(100)),
      reason,
    }),
    z.object({
      action: z.literal('POST'),
      account: z
        .enum(postable)
        .meta({ description: 'DIFFERENCE: what nobody has explained; FEE: what a bank charged' }),
      reason,
    }),
  ],
  { error: 'must be MATCH, TIMING, DISTINCT, BOOK or POST' },
);

export function postReconciliationItemsResolve(app: ZodApp, deps: DepsOf<typeof resolveItem> & FourEyesDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /reconciliation/items/:id/resolve',
    params: idParams,
    body,
    waits: 'as judged',
    repeatable: true,
    run: async ({ params, body: resolution, actor, judge }) =>
      toItem(await resolveItem(deps, { ...resolution, id: params.id, actor, judge })),
  });
  app.post(
    '/reconciliation/items/:id/resolve',
    {
      schema: {
        operationId: 'resolveReconciliationItem',
        summary:
          'Match what is open by hand, wait for its other side, book it, post the difference, or say that a repeated line is another one',
        params: idParams,
        body,
        response: {
          200: itemShape,
          202: approvalShape,
          ...failuresFor(
            'RECONCILIATION_ITEM_NOT_FOUND',
            'TRANSACTION_NOT_FOUND',
            'WALLET_NOT_FOUND',
            'RECONCILIATION_ITEM_STATE_CONFLICT',
            'REFERENCE_REUSED',
          ),
        },
      },
    },
    handle,
  );
}
