import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { revealCustomer } from '#modules/recovery';
import { reason } from '#wire/text.ts';
import { idParams } from './shapes/params.ts';
import { revealedFields, revealedShape } from './shapes/revealed.ts';

const body = z.object({ reason, fields: revealedFields });

export function postCustomersRevealById(app: ZodApp, deps: DepsOf<typeof revealCustomer>): void {
  app.post(
    '/customers/:id/reveal',
    {
      schema: {
        operationId: 'revealCustomer',
        summary: 'Show what is masked of a customer; audited',
        params: idParams,
        body,
        response: { 200: revealedShape, ...failuresFor('CUSTOMER_NOT_FOUND') },
      },
    },
    async ({ params, body: request, actor }) => revealCustomer(deps, { ...request, id: params.id, actor }),
  );
}
