import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { releaseCustomer } from '#modules/recovery';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';
import { reasonBody } from './shapes/reason.ts';

type Deps = DepsOf<typeof releaseCustomer> & FourEyesDeps;

export function postCustomersRelease(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /customers/:id/release',
    params: idParams,
    body: reasonBody,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body, actor, judge }) =>
      toCustomer(await releaseCustomer(deps, { ...body, id: params.id, actor, judge })),
  });
  app.post(
    '/customers/:id/release',
    {
      schema: {
        operationId: 'releaseCustomer',
        summary: 'Release a customer who was frozen; wallets and PayTag are what they were, unless changed since',
        description:
          'Where more than APPROVAL_ABOVE is in their wallets, or waits for them, another operator approves it first.',
        params: idParams,
        body: reasonBody,
        response: {
          200: customerShape,
          202: approvalShape,
          ...failuresFor('CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        },
      },
    },
    handle,
  );
}
