import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { assertCustomersExist, REVEALED_MAX, revealCustomers } from '#modules/recovery';
import { reason } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { revealedFields, revealedShape } from './shapes/revealed.ts';

const noParams = z.object({});
const body = z.object({ ids: z.array(z.uuid()).min(1).max(REVEALED_MAX), reason, fields: revealedFields });

type Deps = DepsOf<typeof revealCustomers> & DepsOf<typeof assertCustomersExist> & FourEyesDeps;

export function postCustomersReveal(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /customers/reveal',
    params: noParams,
    body,
    waits: 'always',
    repeatable: false,
    run: async ({ body: request, actor }) => ({ items: await revealCustomers(deps, { ...request, actor }) }),
  });
  app.post(
    '/customers/reveal',
    {
      schema: {
        operationId: 'revealCustomers',
        summary: 'Show what is masked of up to a hundred customers, once another operator has approved it; audited',
        params: noParams,
        body,
        response: {
          200: z.object({ items: z.array(revealedShape) }),
          202: approvalShape,
          ...failuresFor('CUSTOMER_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      await assertCustomersExist(deps, request.body.ids);
      return handle(request, reply);
    },
  );
}
