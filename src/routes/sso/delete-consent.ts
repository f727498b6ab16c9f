import { z } from 'zod';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { withdrawAgreement } from '#modules/consent';

export function deleteConsent(app: ZodApp, deps: DepsOf<typeof withdrawAgreement>): void {
  app.delete(
    '/consent',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'withdrawConsent',
        summary: 'Take back what the customer has agreed to on their PayTag, for good',
        security: partnerAndCustomer,
        querystring: z.object({ consentId: z.uuid().meta({ description: 'As `GET /v2/sso/consent` names it' }) }),
        response: { 200: z.boolean(), ...failuresFor('CONSENT_NOT_FOUND', 'CLAIM_NOT_APPROVED', 'LINK_ENDED') },
      },
    },
    async ({ customerId, query: { consentId } }) => {
      await withdrawAgreement(deps, { customerId, consentId });
      return true;
    },
  );
}
