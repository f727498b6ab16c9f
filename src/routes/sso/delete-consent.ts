import { z } from 'zod';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { withdrawAgreement } from '#modules/tag-control';
import type { Resources } from '../../resources.ts';

export function deleteConsent(app: ZodApp, resources: Resources): void {
  app.delete(
    '/consent/:consentId',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Take back what the customer has agreed to on her PayTag, for good',
        security: partnerAndCustomer,
        params: z.object({ consentId: z.uuid() }),
        response: { 200: z.boolean(), ...failuresFor(400, 401, 403, 404, 409) },
      },
    },
    async ({ customerId, params: { consentId } }) => {
      await withdrawAgreement(resources, { customerId, consentId });
      return true;
    },
  );
}
