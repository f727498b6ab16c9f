import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listOperators } from '#modules/operators';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { operatorShape, operatorStatus, toOperator } from './shapes/operator.ts';

const pages = pagedBy('operators', uuidKey);

export function getOperators(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/operators',
    {
      schema: {
        operationId: 'listOperators',
        summary: 'The operators, newest first; root, who holds OPERATOR_TOKEN, is not among them',
        querystring: pages.query.extend({ status: optional(operatorStatus) }),
        response: { 200: listOf(operatorShape) },
      },
    },
    async ({ actor, query }) =>
      pages.page(await readLong(actor, async (db) => listOperators(db, query)), query, toOperator),
  );
}
