import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { closeOwnTag } from '#modules/accounts';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { tagParams } from '#wire/tag.ts';

export function deleteTags(app: ZodApp, deps: DepsOf<typeof closeOwnTag> & { clock: Clock }): void {
  app.delete(
    '/tags/:tag',
    {
      schema: {
        tags: ['Tags', 'Extension'],
        operationId: 'closeTag',
        summary: 'Close a tag of a subject of yours, for good; no one can have it for ninety days',
        security: applicationOnly,
        params: tagParams,
        response: {
          200: envelopeOf(z.null()),
          ...failuresFor('NOT_PERMITTED', 'TAG_NOT_FOUND', 'TAG_STATUS_CONFLICT'),
        },
      },
    },
    async (request) => {
      await closeOwnTag(deps, applicationOf(request), request.params.tag);
      return enveloped(deps.clock, 'tag closed', null);
    },
  );
}
