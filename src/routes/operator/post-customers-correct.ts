import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { correctCustomer } from '#modules/data-rights';
import { getCustomer } from '#modules/recovery';
import { dateOfBirth } from '#wire/person.ts';
import { optional, reason, text } from '#wire/text.ts';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';

const body = z.object({
  reason,
  firstName: optional(text(100)),
  lastName: optional(text(100)),
  otherName: optional(text(100)),
  dateOfBirth: optional(dateOfBirth),
  address: optional(text(500)),
});

export function postCustomersCorrect(
  app: ZodApp,
  deps: DepsOf<typeof correctCustomer> & DepsOf<typeof getCustomer> & { db: Database },
): void {
  app.post(
    '/customers/:id/correct',
    {
      schema: {
        operationId: 'correctCustomer',
        summary:
          'Correct names, birth date or address of a customer; whoever is shown them is shown these from then on',
        params: idParams,
        body,
        response: {
          200: customerShape,
          ...failuresFor('NAME_RESERVED', 'CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        },
      },
    },
    async ({ params, body: given, actor }) => {
      await correctCustomer(deps, { ...given, id: params.id, actor });
      return toCustomer(await getCustomer(deps, deps.db, params.id));
    },
  );
}
