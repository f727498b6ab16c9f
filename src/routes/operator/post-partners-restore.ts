import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changePartnerStatus } from '#modules/partners';
import { reason } from '#wire/text.ts';
import { operatedPartnerShape, partnerParams, toOperatedPartner } from './shapes/partner.ts';

export function postPartnersRestore(app: ZodApp, deps: DepsOf<typeof changePartnerStatus>): void {
  app.post(
    '/partners/:id/restore',
    {
      schema: {
        summary: 'Give a suspended partner back',
        params: partnerParams,
        body: z.object({ reason }),
        response: { 200: operatedPartnerShape, ...failuresFor(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, change: 'restore', actor: request.credential } as const;
      return toOperatedPartner(await changePartnerStatus(deps, change));
    },
  );
}
