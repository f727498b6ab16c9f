import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { listOperators } from '#modules/operators';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { operatorShape, operatorStatus, toOperator } from './shapes/operator.ts';

export function getOperators(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/operators',
    {
      schema: {
        summary: 'The operators, newest first; root, who holds OPERATOR_TOKEN, is not among them',
        querystring: paging.extend({ status: optional(operatorStatus) }),
        response: { 200: listOf(operatorShape), ...failuresFor(400, 401) },
      },
    },
    async ({ query }) => pageOf(await listOperators(db, query), query, toOperator),
  );
}
