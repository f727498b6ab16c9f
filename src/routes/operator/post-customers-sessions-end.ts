import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { endCustomerSessions } from '#modules/sessions';
import { optional } from '#wire/text.ts';
import { idParams } from './shapes/params.ts';
import { reasonBody } from './shapes/reason.ts';

export function postCustomersSessionsEnd(app: ZodApp, deps: DepsOf<typeof endCustomerSessions>): void {
  app.post(
    '/customers/:id/sessions/end',
    {
      schema: {
        operationId: 'endSessionsOfCustomer',
        summary: 'End all sessions of a customer, and the codes that could still become one',
        params: idParams,
        body: reasonBody.extend({
          partnerId: optional(z.uuid()).meta({ description: 'At this partner alone; without it at all' }),
        }),
        response: {
          200: z.object({ ended: z.int().meta({ description: 'How many sessions ended', example: 2 }) }),
          ...failuresFor('CUSTOMER_NOT_FOUND'),
        },
      },
    },
    async ({ params, body, actor }) => endCustomerSessions(deps, { ...body, id: params.id, actor }),
  );
}
