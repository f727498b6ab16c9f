import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { tagParams } from '#http/claim-shapes.ts';
import { enveloped, envelopeOf } from '#http/envelope.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { closeOwnTag } from '#modules/tag-control';
import type { Resources } from '../../resources.ts';

export function deleteTags(app: ZodApp, resources: Resources): void {
  app.delete(
    '/tags/:tag',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Close a tag of a subject of yours, for good; nobody can have it for ninety days',
        security: applicationOnly,
        params: tagParams,
        response: { 200: envelopeOf(z.null()), ...failuresFor(401, 403, 404, 409) },
      },
    },
    async (request) => {
      await closeOwnTag(resources, applicationOf(request), request.params.tag);
      return enveloped(resources.clock, 'tag closed', null);
    },
  );
}
