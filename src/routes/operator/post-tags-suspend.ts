import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeTagStatus } from '#modules/tag-lifecycle';
import { tagParams } from '#wire/tag.ts';
import { tagShape, toTag } from './shapes/tag.ts';
import { statusAction } from './status-action.ts';

export function postTagsSuspend(app: ZodApp, deps: DepsOf<typeof changeTagStatus>): void {
  app.post(
    '/tags/:tag/suspend',
    {
      schema: {
        ...statusAction(tagParams, tagShape, 'TAG_NOT_FOUND', 'TAG_STATUS_CONFLICT'),
        operationId: 'suspendTag',
        summary: 'Suspend a tag: it shows no profile, is paid nothing, and nothing is agreed on it',
      },
    },
    async ({ params, body, actor }) =>
      toTag(await changeTagStatus(deps, { ...body, address: params.tag, action: 'suspend', actor })),
  );
}
