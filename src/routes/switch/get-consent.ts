import { z } from 'zod';
import { readConsent } from '#modules/claims';
import { prefersHtml } from '../../http/accept.ts';
import { consentParams, consentRequestShape, toConsentRequest } from '../../http/claim-shapes.ts';
import { enveloped, envelopeOf } from '../../http/envelope.ts';
import { sendFailure } from '../../http/failures.ts';
import { failureShape } from '../../http/openapi-meta.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';
import { showConsent, showRefusal } from '../pages/consent/show.ts';

const orPage = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema }, 'text/html': { schema: z.string() } },
});

/** An Envelope for a program; for a browser the page on which the tag's owner answers. It changes nothing. */
export function getConsent(app: ZodApp, resources: Resources): void {
  const refusePage = showRefusal(resources);
  app.get(
    '/consent/:consentToken',
    {
      errorHandler: (error, request, reply) => {
        if (prefersHtml(request.headers.accept)) refusePage(error, request, reply);
        else sendFailure(error, request, reply);
      },
      schema: {
        tags: ['Consent'],
        summary: 'Who asks for consent, for what, and until when; for a browser the page to answer on',
        params: consentParams,
        querystring: z.object({
          with: z.unknown().optional().meta({ description: '`code`: the page asks for the code that was sent' }),
        }),
        response: {
          200: orPage('The consent request', envelopeOf(consentRequestShape)),
          404: orPage('Unknown', failureShape),
          410: orPage('Expired', failureShape),
        },
      },
    },
    async (request, reply) => {
      const { consentToken } = request.params;
      if (prefersHtml(request.headers.accept)) {
        return showConsent(resources, reply, { consentToken, hasCode: request.query.with === 'code' });
      }
      const consent = await readConsent(resources, consentToken);
      reply.headers({ 'cache-control': 'no-store', vary: 'accept' });
      return enveloped(resources.clock, 'consent request', toConsentRequest(consent));
    },
  );
}
