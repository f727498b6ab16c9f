import { prefersHtml } from '#http/headers.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { openLinkRequest } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { orPage, orPageFailures, pageQuery } from './approval-page.ts';
import { federationPage } from './federation-page.ts';
import { approvalParams, linkRequestShape, toLinkRequest } from './shapes.ts';

/** An Envelope for a program; for a browser the page on which a customer consents to a link. It changes nothing. */
export function getFederation(
  app: ZodApp,
  deps: DepsOf<typeof federationPage> & DepsOf<typeof openLinkRequest> & { clock: Clock },
): void {
  const page = federationPage(deps);
  app.get(
    '/federation/:approvalToken',
    {
      errorHandler: page.refuseByAccept,
      schema: {
        tags: ['Federation', 'Extension'],
        operationId: 'getLinkRequest',
        summary:
          'Who asks to link a customer’s PayTag, to which tag, and until when; for a browser the page to answer on',
        params: approvalParams,
        querystring: pageQuery,
        response: {
          200: orPage('The link', envelopeOf(linkRequestShape)),
          ...orPageFailures('LINK_NOT_FOUND', 'LINK_EXPIRED'),
        },
      },
    },
    async (request, reply) => {
      const { approvalToken } = request.params;
      if (prefersHtml(request.headers.accept)) {
        return page.show(reply, approvalToken, { hasCode: request.query.with === 'code' });
      }
      const link = await openLinkRequest(deps, approvalToken);
      reply.header('vary', 'accept');
      return enveloped(deps.clock, 'link request', toLinkRequest(link));
    },
  );
}
