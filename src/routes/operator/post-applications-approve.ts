import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeApplicationStatus } from '#modules/applications';
import { applicationShape, toApplication } from './shapes/application.ts';
import { idParams } from './shapes/params.ts';
import { optionalReasonBody } from './shapes/reason.ts';
import { statusAction } from './status-action.ts';

export function postApplicationsApprove(app: ZodApp, deps: DepsOf<typeof changeApplicationStatus>): void {
  app.post(
    '/applications/:id/approve',
    {
      schema: {
        ...statusAction(idParams, applicationShape, 'APPLICATION_NOT_FOUND', 'APPLICATION_STATUS_CONFLICT'),
        operationId: 'approveApplication',
        summary: 'Approve an application that waits: it gets tokens from now on',
        body: optionalReasonBody,
      },
    },
    async ({ params, body, actor }) =>
      toApplication(await changeApplicationStatus(deps, { ...body, id: params.id, action: 'approve', actor })),
  );
}
