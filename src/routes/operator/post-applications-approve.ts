import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { optionalReason } from '#wire/text.ts';
import { applicationAction, runApplicationAction } from './application-action.ts';

export function postApplicationsApprove(app: ZodApp, deps: DepsOf<typeof runApplicationAction>): void {
  app.post(
    '/applications/:id/approve',
    {
      schema: {
        ...applicationAction,
        summary: 'Approve an application that waits: it gets tokens from now on',
        body: z.object({ reason: optionalReason }).nullish(),
      },
    },
    async (request) => runApplicationAction(deps, 'approve', request),
  );
}
