import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeApplicationStatus } from '#modules/applications';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { applicationShape, toApplication } from './shapes/application.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { reasonBody } from './shapes/reason.ts';

type Deps = DepsOf<typeof changeApplicationStatus> & FourEyesDeps;

export function postApplicationsRestore(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /applications/:id/restore',
    params: idParams,
    body: reasonBody,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body, actor, judge }) =>
      toApplication(await changeApplicationStatus(deps, { ...body, id: params.id, action: 'restore', actor, judge })),
  });
  app.post(
    '/applications/:id/restore',
    {
      schema: {
        operationId: 'restoreApplication',
        summary: 'Give a suspended application back',
        description: 'Where its settlement wallets hold more than APPROVAL_ABOVE, another operator approves it first.',
        params: idParams,
        body: reasonBody,
        response: {
          200: applicationShape,
          202: approvalShape,
          ...failuresFor('APPLICATION_NOT_FOUND', 'APPLICATION_STATUS_CONFLICT'),
        },
      },
    },
    handle,
  );
}
