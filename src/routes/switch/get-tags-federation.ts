import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getFederation } from '#modules/consent';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { tagParams } from '#wire/tag.ts';
import { federationShape, toFederation } from './shapes.ts';

export function getTagsFederation(app: ZodApp, deps: DepsOf<typeof getFederation> & { clock: Clock }): void {
  app.get(
    '/tags/:tag/federation',
    {
      schema: {
        tags: ['Federation', 'Extension'],
        operationId: 'getFederation',
        summary: 'What is linked to a tag: all of it for its owner’s application, links to tags of yours for any other',
        security: applicationOnly,
        params: tagParams,
        response: { 200: envelopeOf(federationShape), ...failuresFor('FEDERATION_NOT_FOUND', 'TAG_NOT_FOUND') },
      },
    },
    async (request) => {
      const federation = await getFederation(deps, applicationOf(request), request.params.tag);
      return enveloped(deps.clock, 'federation', toFederation(federation));
    },
  );
}
