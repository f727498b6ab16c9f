import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changePartnerStatus } from '#modules/partners';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { partnerShape, toPartner } from './shapes/partner.ts';
import { reasonBody } from './shapes/reason.ts';

type Deps = DepsOf<typeof changePartnerStatus> & FourEyesDeps;

export function postPartnersRestore(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /partners/:id/restore',
    params: idParams,
    body: reasonBody,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body, actor, judge }) =>
      toPartner(await changePartnerStatus(deps, { ...body, id: params.id, change: 'restore', actor, judge })),
  });
  app.post(
    '/partners/:id/restore',
    {
      schema: {
        operationId: 'restorePartner',
        summary: 'Give a suspended partner back',
        description:
          'Where more than APPROVAL_ABOVE is on its floats and in its wallets, or waits for them, another operator approves it first.',
        params: idParams,
        body: reasonBody,
        response: {
          200: partnerShape,
          202: approvalShape,
          ...failuresFor('PARTNER_NOT_FOUND', 'PARTNER_STATUS_CONFLICT'),
        },
      },
    },
    handle,
  );
}
