import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changePartnerStatus } from '#modules/partners';
import { reason } from '#wire/text.ts';
import { operatedPartnerShape, partnerParams, toOperatedPartner } from './shapes/partner.ts';

export function postPartnersSuspend(app: ZodApp, deps: DepsOf<typeof changePartnerStatus>): void {
  app.post(
    '/partners/:id/suspend',
    {
      schema: {
        summary: 'Suspend a partner: its next call is refused, whatever key it has, and those of its customers there',
        params: partnerParams,
        body: z.object({ reason }),
        response: { 200: operatedPartnerShape, ...failuresFor(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, change: 'suspend', actor: request.credential } as const;
      return toOperatedPartner(await changePartnerStatus(deps, change));
    },
  );
}
