import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { findHandedBack, handBackBvn } from '#modules/recovery';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { customerShape, toCustomer } from './shapes/customer.ts';
import { idParams } from './shapes/params.ts';
import { reasonBody } from './shapes/reason.ts';

type Deps = DepsOf<typeof handBackBvn> & DepsOf<typeof findHandedBack> & FourEyesDeps;

export function postCustomersHandBackBvn(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /customers/:id/hand-back-bvn',
    params: idParams,
    body: reasonBody,
    waits: 'always',
    repeatable: false,
    run: async ({ params, body, actor }) => toCustomer(await handBackBvn(deps, { ...body, id: params.id, actor })),
  });
  app.post(
    '/customers/:id/hand-back-bvn',
    {
      schema: {
        operationId: 'handBackBvn',
        summary: 'Hand the BVN of a frozen customer back to its owner, who onboards anew; they stay frozen for ever',
        params: idParams,
        body: reasonBody,
        response: {
          200: customerShape,
          202: approvalShape,
          ...failuresFor('CUSTOMER_NOT_FOUND', 'CUSTOMER_STATUS_CONFLICT'),
        },
      },
    },
    async (request, reply) => {
      const handedBack = await findHandedBack(deps, request.params.id);
      return handedBack === undefined ? handle(request, reply) : toCustomer(handedBack);
    },
  );
}
