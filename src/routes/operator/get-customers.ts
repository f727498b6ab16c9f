import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getCustomer } from '#modules/recovery';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';

export function getCustomers(app: ZodApp, deps: DepsOf<typeof getCustomer> & { db: Database }): void {
  app.get(
    '/customers/:id',
    {
      schema: {
        operationId: 'getCustomer',
        summary: 'A customer, masked, with their wallets and where they are logged in',
        params: idParams,
        response: { 200: customerShape, ...failuresFor('CUSTOMER_NOT_FOUND') },
      },
    },
    async ({ params }) => toCustomer(await getCustomer(deps, deps.db, params.id)),
  );
}
