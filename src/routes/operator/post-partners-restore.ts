import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changePartnerStatus } from '#modules/partners';
import { idParams } from './shapes/params.ts';
import { partnerShape, toPartner } from './shapes/partner.ts';
import { statusAction } from './status-action.ts';

export function postPartnersRestore(app: ZodApp, deps: DepsOf<typeof changePartnerStatus>): void {
  app.post(
    '/partners/:id/restore',
    {
      schema: {
        ...statusAction(idParams, partnerShape, 'PARTNER_NOT_FOUND', 'PARTNER_STATUS_CONFLICT'),
        operationId: 'restorePartner',
        summary: 'Give a suspended partner back',
      },
    },
    async ({ params, body, actor }) =>
      toPartner(await changePartnerStatus(deps, { ...body, id: params.id, change: 'restore', actor })),
  );
}
