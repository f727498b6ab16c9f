import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { releaseCustomer } from '#modules/recovery';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';
import { statusAction } from './status-action.ts';

export function postCustomersRelease(app: ZodApp, deps: DepsOf<typeof releaseCustomer>): void {
  app.post(
    '/customers/:id/release',
    {
      schema: {
        ...statusAction(idParams, customerShape, 'CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        operationId: 'releaseCustomer',
        summary: 'Release a customer who was frozen; wallets and PayTag are what they were, unless changed since',
      },
    },
    async ({ params, body, actor }) => toCustomer(await releaseCustomer(deps, { ...body, id: params.id, actor })),
  );
}
