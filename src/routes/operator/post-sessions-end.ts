import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { endSession } from '#modules/sessions';
import { idParams } from './shapes/params.ts';
import { sessionShape, toSession } from './shapes/session.ts';
import { statusAction } from './status-action.ts';

export function postSessionsEnd(app: ZodApp, deps: DepsOf<typeof endSession>): void {
  app.post(
    '/sessions/:id/end',
    {
      schema: {
        ...statusAction(idParams, sessionShape, 'SESSION_NOT_FOUND', 'SESSION_STATUS_CONFLICT'),
        operationId: 'endSession',
        summary: 'End a session of a customer: its token is refused from now on',
      },
    },
    async ({ params, body, actor }) => toSession(await endSession(deps, { ...body, id: params.id, actor })),
  );
}
