import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { endConsoleSession } from '#modules/operators';
import { idParams } from './shapes/params.ts';
import { consoleSessionShape, toConsoleSession } from './shapes/session.ts';
import { statusAction } from './status-action.ts';

export function postOperatorsSessionsEnd(app: ZodApp, deps: DepsOf<typeof endConsoleSession>): void {
  app.post(
    '/operators/sessions/:id/end',
    {
      schema: {
        ...statusAction(idParams, consoleSessionShape, 'SESSION_NOT_FOUND'),
        operationId: 'endConsoleSession',
        summary: 'Sign an operator out at the console, whose token is as good as before',
      },
    },
    async ({ params, body, actor }) =>
      toConsoleSession(await endConsoleSession(deps, { ...body, id: params.id, actor })),
  );
}
