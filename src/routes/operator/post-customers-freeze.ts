import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { freezeCustomer } from '#modules/recovery';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';
import { statusAction } from './status-action.ts';

export function postCustomersFreeze(app: ZodApp, deps: DepsOf<typeof freezeCustomer>): void {
  app.post(
    '/customers/:id/freeze',
    {
      schema: {
        ...statusAction(idParams, customerShape, 'CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        operationId: 'freezeCustomer',
        summary: 'Freeze a customer: no login, token, code or link is good, and no money leaves their wallets',
      },
    },
    async ({ params, body, actor }) => toCustomer(await freezeCustomer(deps, { ...body, id: params.id, actor })),
  );
}
