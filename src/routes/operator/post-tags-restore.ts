import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeTagStatus } from '#modules/tag-lifecycle';
import { tagParams } from '#wire/tag.ts';
import { tagShape, toTag } from './shapes/tag.ts';
import { statusAction } from './status-action.ts';

export function postTagsRestore(app: ZodApp, deps: DepsOf<typeof changeTagStatus>): void {
  app.post(
    '/tags/:tag/restore',
    {
      schema: {
        ...statusAction(tagParams, tagShape, 'TAG_NOT_FOUND', 'TAG_STATUS_CONFLICT'),
        operationId: 'restoreTag',
        summary: 'Give a suspended tag back',
      },
    },
    async ({ params, body, actor }) =>
      toTag(await changeTagStatus(deps, { ...body, address: params.tag, action: 'restore', actor })),
  );
}
