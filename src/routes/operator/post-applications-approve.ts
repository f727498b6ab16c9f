import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeApplicationStatus } from '#modules/applications';
import { optionalReason } from '#wire/text.ts';
import { applicationParams, operatedApplicationShape, toOperatedApplication } from './shapes/application.ts';

export function postApplicationsApprove(app: ZodApp, deps: DepsOf<typeof changeApplicationStatus>): void {
  app.post(
    '/applications/:id/approve',
    {
      schema: {
        summary: 'Approve an application that waits: it gets tokens from now on',
        params: applicationParams,
        body: z.object({ reason: optionalReason }).nullish(),
        response: { 200: operatedApplicationShape, ...failuresFor(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const change = {
        id: request.params.id,
        action: 'approve',
        actor: request.credential,
        reason: request.body?.reason,
      } as const;
      return toOperatedApplication(await changeApplicationStatus(deps, change));
    },
  );
}
