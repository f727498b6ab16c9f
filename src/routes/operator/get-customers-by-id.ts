import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { getCustomer } from '#modules/recovery';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';

export function getCustomersById(
  app: ZodApp,
  { readLong, ...deps }: DepsOf<typeof getCustomer> & { readLong: ReadLong },
): void {
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
    async ({ actor, params }) => toCustomer(await readLong(actor, async (db) => getCustomer(deps, db, params.id))),
  );
}
