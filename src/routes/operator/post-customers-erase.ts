import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { eraseCustomer } from '#modules/data-rights';
import { getCustomer } from '#modules/recovery';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';
import { statusAction } from './status-action.ts';

export function postCustomersErase(
  app: ZodApp,
  deps: DepsOf<typeof eraseCustomer> & DepsOf<typeof getCustomer> & { db: Database },
): void {
  app.post(
    '/customers/:id/erase',
    {
      schema: {
        ...statusAction(
          idParams,
          customerShape,
          'CUSTOMER_NOT_FOUND',
          'CUSTOMER_STATUS_CONFLICT',
          'CUSTOMER_NOT_EMPTY',
        ),
        operationId: 'eraseCustomer',
        summary: 'Erase a customer for good, once their wallets are empty; the books stay, without their name',
      },
    },
    async ({ params, body, actor }) => {
      await eraseCustomer(deps, { ...body, id: params.id, actor });
      return toCustomer(await getCustomer(deps, deps.db, params.id));
    },
  );
}
