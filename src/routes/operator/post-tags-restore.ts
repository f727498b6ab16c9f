import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { runTagAction, tagAction } from './tag-action.ts';

export function postTagsRestore(app: ZodApp, deps: DepsOf<typeof runTagAction>): void {
  app.post('/tags/:tag/restore', { schema: { ...tagAction, summary: 'Give a suspended tag back' } }, async (request) =>
    runTagAction(deps, 'restore', request),
  );
}
