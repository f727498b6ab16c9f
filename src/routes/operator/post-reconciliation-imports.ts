import { setImmediate as turn } from 'node:timers/promises';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { importFile, textOf } from '#modules/reconciliation';
import { BODY_MAX, fileBody, kindOf } from './shapes/bank-file.ts';
import { comparedImportShape, toComparedImport } from './shapes/reconciliation.ts';

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
      const { rail, toleranceDays, from, to, content, encoding, charset, confirm, reason } = body;
      const imported = await importFile(deps, {
        actor,
        rail,
        toleranceDays,
        from,
        to,
        confirm,
        reason,
        content: encoding === 'text' ? content : textOf(Buffer.from(content, 'base64'), charset),
        kind: kindOf(body),
      });
      reply.code(imported.isNew ? 201 : 200);
      return toComparedImport(imported);
    },
  );
}
