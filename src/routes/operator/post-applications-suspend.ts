import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeApplicationStatus } from '#modules/applications';
import { reason } from '#wire/text.ts';
import { applicationParams, operatedApplicationShape, toOperatedApplication } from './shapes/application.ts';

export function postApplicationsSuspend(app: ZodApp, deps: DepsOf<typeof changeApplicationStatus>): void {
  app.post(
    '/applications/:id/suspend',
    {
      schema: {
        summary: 'Suspend an application: its next call is refused, whatever token it has',
        params: applicationParams,
        body: z.object({ reason }),
        response: { 200: operatedApplicationShape, ...failuresFor(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const change = {
        id: request.params.id,
        action: 'suspend',
        actor: request.credential,
        reason: request.body.reason,
      } as const;
      return toOperatedApplication(await changeApplicationStatus(deps, change));
    },
  );
}
