import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeTagStatus } from '#modules/tag-lifecycle';
import { tagParams } from '#wire/tag.ts';
import { reason } from '#wire/text.ts';
import { operatedTagShape, toOperatedTag } from './shapes/tag.ts';

export function postTagsRestore(app: ZodApp, deps: DepsOf<typeof changeTagStatus>): void {
  app.post(
    '/tags/:tag/restore',
    {
      schema: {
        summary: 'Give a suspended tag back',
        params: tagParams,
        body: z.object({ reason }),
        response: { 200: operatedTagShape, ...failuresFor(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const change = {
        address: request.params.tag,
        action: 'restore',
        actor: request.credential,
        ...request.body,
      } as const;
      return toOperatedTag(await changeTagStatus(deps, change));
    },
  );
}
