import { readConsent } from '#modules/claims';
import { consentParams, consentRequestShape, toConsentRequest } from '../../http/claim-shapes.ts';
import { enveloped, envelopeOf } from '../../http/envelope.ts';
import { failuresFor } from '../../http/openapi-meta.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';

export function getConsent(app: ZodApp, resources: Resources): void {
  app.get(
    '/consent/:consentToken',
    {
      schema: {
        tags: ['Consent'],
        summary: 'Who asks for consent, for what, and until when',
        params: consentParams,
        response: { 200: envelopeOf(consentRequestShape), ...failuresFor(404, 410) },
      },
    },
    async (request, reply) => {
      const consent = await readConsent(resources, request.params.consentToken);
      reply.header('cache-control', 'no-store');
      return enveloped(resources.clock, 'consent request', toConsentRequest(consent));
    },
  );
}
