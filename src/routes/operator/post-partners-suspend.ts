import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changePartnerStatus } from '#modules/partners';
import { idParams } from './shapes/params.ts';
import { partnerShape, toPartner } from './shapes/partner.ts';
import { statusAction } from './status-action.ts';

export function postPartnersSuspend(app: ZodApp, deps: DepsOf<typeof changePartnerStatus>): void {
  app.post(
    '/partners/:id/suspend',
    {
      schema: {
        ...statusAction(idParams, partnerShape, 'PARTNER_NOT_FOUND', 'PARTNER_STATUS_CONFLICT'),
        operationId: 'suspendPartner',
        summary:
          'Suspend a partner: within a second its calls are refused, whatever key it has, and those of its customers there',
      },
    },
    async ({ params, body, actor }) =>
      toPartner(await changePartnerStatus(deps, { ...body, id: params.id, change: 'suspend', actor })),
  );
}
