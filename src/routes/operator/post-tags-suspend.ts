import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { runTagAction, tagAction } from './tag-action.ts';

export function postTagsSuspend(app: ZodApp, deps: DepsOf<typeof runTagAction>): void {
  app.post(
    '/tags/:tag/suspend',
    {
      schema: {
        ...tagAction,
        summary: 'Suspend a tag: it shows no profile, is paid nothing, and nothing is agreed on it',
      },
    },
    async (request) => runTagAction(deps, 'suspend', request),
  );
}
