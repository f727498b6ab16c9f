import { prefersHtml } from '#http/headers.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { readConsent } from '#modules/consent';
import { consentParams } from '#wire/claim.ts';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { orPage, orPageFailures, pageQuery } from './approval-page.ts';
import { consentPage } from './consent-page.ts';
import { consentRequestShape, toConsentRequest } from './shapes.ts';

/** An Envelope for a program; for a browser the page on which the tag's owner answers. It changes nothing. */
export function getConsent(
  app: ZodApp,
  deps: DepsOf<typeof consentPage> & DepsOf<typeof readConsent> & { clock: Clock },
): void {
  const page = consentPage(deps);
  app.get(
    '/consent/:consentToken',
    {
      errorHandler: page.refuseByAccept,
      schema: {
        tags: ['Consent'],
        operationId: 'getConsent',
        summary: 'Who asks for consent, for what, and until when; for a browser the page to answer on',
        params: consentParams,
        querystring: pageQuery,
        response: {
          200: orPage('The consent request', envelopeOf(consentRequestShape)),
          ...orPageFailures('CONSENT_NOT_FOUND', 'CONSENT_EXPIRED'),
        },
      },
    },
    async (request, reply) => {
      const { consentToken } = request.params;
      if (prefersHtml(request.headers.accept)) {
        return page.show(reply, consentToken, { hasCode: request.query.with === 'code' });
      }
      const consent = await readConsent(deps, consentToken);
      reply.header('vary', 'accept');
      return enveloped(deps.clock, 'consent request', toConsentRequest(consent));
    },
  );
}
