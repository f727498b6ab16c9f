import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { runTagAction, tagAction } from './tag-action.ts';

export function postTagsClose(app: ZodApp, deps: DepsOf<typeof runTagAction>): void {
  app.post(
    '/tags/:tag/close',
    {
      schema: { ...tagAction, summary: 'Close a tag for good: its claims end, and nobody can have it for ninety days' },
    },
    async (request) => runTagAction(deps, 'close', request),
  );
}
