import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listImports } from '#modules/reconciliation';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { importShape, rail, toImport } from './shapes/reconciliation.ts';

const pages = pagedBy('reconciliation-imports', uuidKey);
const query = pages.query.extend({ rail: optional(rail) });

export function getReconciliationImports(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/reconciliation/imports',
    {
      schema: {
        operationId: 'listBankImports',
        summary: 'Files of banks that were imported, newest first',
        querystring: query,
        response: { 200: listOf(importShape) },
      },
    },
    async ({ actor, query: asked }) =>
      pages.page(await readLong(actor, async (db) => listImports({ db }, asked)), asked, toImport),
  );
}
