import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listCustomers } from '#modules/recovery';
import { momentIn } from '#wire/moment.ts';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { customerStatus, listedCustomerShape, toListedCustomer } from './shapes/customer.ts';

const pages = pagedBy('customers', uuidKey);

const querystring = pages.query.extend({
  status: optional(customerStatus),
  from: optional(momentIn).meta({ description: 'Made then or later' }),
  to: optional(momentIn).meta({ description: 'Made before' }),
});

export function getCustomers(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/customers',
    {
      schema: {
        operationId: 'listCustomers',
        summary: 'Customers, newest first: who they are, and how they stand',
        querystring,
        response: { 200: listOf(listedCustomerShape) },
      },
    },
    async ({ actor, query }) =>
      pages.page(await readLong(actor, async (db) => listCustomers({ db }, query)), query, toListedCustomer),
  );
}
