import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getImport } from '#modules/reconciliation';
import { idParams } from './shapes/params.ts';
import { comparedImportShape, toComparedImport } from './shapes/reconciliation.ts';

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
