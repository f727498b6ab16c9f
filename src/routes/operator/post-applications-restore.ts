import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeApplicationStatus } from '#modules/applications';
import { applicationShape, toApplication } from './shapes/application.ts';
import { idParams } from './shapes/params.ts';
import { statusAction } from './status-action.ts';

export function postApplicationsRestore(app: ZodApp, deps: DepsOf<typeof changeApplicationStatus>): void {
  app.post(
    '/applications/:id/restore',
    {
      schema: {
        ...statusAction(idParams, applicationShape, 'APPLICATION_NOT_FOUND', 'APPLICATION_STATUS_CONFLICT'),
        operationId: 'restoreApplication',
        summary: 'Give a suspended application back',
      },
    },
    async ({ params, body, actor }) =>
      toApplication(await changeApplicationStatus(deps, { ...body, id: params.id, action: 'restore', actor })),
  );
}
