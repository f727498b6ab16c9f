import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { revokeLink } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { linkParams, linkShape, toLink } from './shapes.ts';

export function deleteTagsFederation(app: ZodApp, deps: DepsOf<typeof revokeLink> & { clock: Clock }): void {
  app.delete(
    '/tags/:tag/federation/:linkId',
    {
      schema: {
        tags: ['Federation', 'Extension'],
        operationId: 'revokeLink',
        summary: 'End a verified link, from either side, or take back a pending one of yours',
        security: applicationOnly,
        params: linkParams,
        response: {
          200: envelopeOf(linkShape),
          ...failuresFor('NOT_PERMITTED', 'LINK_NOT_FOUND', 'LINK_ENDED', 'LINK_EXPIRED'),
        },
      },
    },
    async (request) => {
      const which = { address: request.params.tag, linkId: request.params.linkId };
      const link = await revokeLink(deps, applicationOf(request), which);
      return enveloped(deps.clock, 'link revoked', toLink(link));
    },
  );
}
