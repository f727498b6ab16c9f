import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeTagStatus } from '#modules/tag-lifecycle';
import { tagParams } from '#wire/tag.ts';
import { tagShape, toTag } from './shapes/tag.ts';
import { statusAction } from './status-action.ts';

export function postTagsClose(app: ZodApp, deps: DepsOf<typeof changeTagStatus>): void {
  app.post(
    '/tags/:tag/close',
    {
      schema: {
        ...statusAction(tagParams, tagShape, 'TAG_NOT_FOUND', 'TAG_STATUS_CONFLICT'),
        operationId: 'closeTag',
        summary: 'Close a tag for good: its claims end, and nobody can have it for ninety days',
      },
    },
    async ({ params, body, actor }) =>
      toTag(await changeTagStatus(deps, { ...body, address: params.tag, action: 'close', actor })),
  );
}
