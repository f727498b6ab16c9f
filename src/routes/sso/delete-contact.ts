import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { cancelContactChanges } from '#modules/accounts';

export function deleteContact(app: ZodApp, deps: DepsOf<typeof cancelContactChanges>): void {
  app.delete(
    '/contact',
    {
      schema: {
        tags: ['Contacts', 'Extension'],
        operationId: 'cancelContactChanges',
        summary: 'Cancel the changes of the customer’s contacts that are not in force yet: whether there was one',
        security: partnerAndCustomer,
        response: { 200: z.boolean() },
      },
    },
    async (request) => {
      const { customerId } = request;
      return cancelContactChanges(deps, { partnerId: partnerOf(request).id, customerId });
    },
  );
}
