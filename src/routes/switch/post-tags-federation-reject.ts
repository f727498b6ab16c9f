import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { rejectLink } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { linkParams, linkShape, toLink } from './shapes.ts';

export function postTagsFederationReject(app: ZodApp, deps: DepsOf<typeof rejectLink> & { clock: Clock }): void {
  app.post(
    '/tags/:tag/federation/:linkId/reject',
    {
      schema: {
        tags: ['Federation', 'Extension'],
        operationId: 'rejectLink',
        summary: 'Reject a pending link to a tag of yours',
        security: applicationOnly,
        params: linkParams,
        response: {
          200: envelopeOf(linkShape),
          ...failuresFor('NOT_PERMITTED', 'LINK_NOT_FOUND', 'LINK_NOT_PENDING', 'LINK_EXPIRED'),
        },
      },
    },
    async (request) => {
      const which = { address: request.params.tag, linkId: request.params.linkId };
      const link = await rejectLink(deps, applicationOf(request), which);
      return enveloped(deps.clock, 'link rejected', toLink(link));
    },
  );
}
