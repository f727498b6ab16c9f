import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeApplicationStatus } from '#modules/applications';
import { applicationShape, toApplication } from './shapes/application.ts';
import { idParams } from './shapes/params.ts';
import { statusAction } from './status-action.ts';

export function postApplicationsSuspend(app: ZodApp, deps: DepsOf<typeof changeApplicationStatus>): void {
  app.post(
    '/applications/:id/suspend',
    {
      schema: {
        ...statusAction(idParams, applicationShape, 'APPLICATION_NOT_FOUND', 'APPLICATION_STATUS_CONFLICT'),
        operationId: 'suspendApplication',
        summary: 'Suspend an application: within a second its calls are refused, whatever token it has',
      },
    },
    async ({ params, body, actor }) =>
      toApplication(await changeApplicationStatus(deps, { ...body, id: params.id, action: 'suspend', actor })),
  );
}
