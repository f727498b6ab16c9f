import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { assertPartnerChange, changePartner, getPartner } from '#modules/partners';
import { emailAddress, optional, reason, trustedName, webUrl } from '#wire/text.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { partnerShape, toPartner } from './shapes/partner.ts';

const body = z.object({
  name: optional(trustedName(200)),
  redirectUrl: optional(webUrl),
  webhookUrl: webUrl
    .nullable()
    .optional()
    .meta({ description: 'null: none, events are kept until there is one', example: 'https://acme.example/webhooks' }),
  contactEmail: emailAddress
    .nullable()
    .optional()
    .meta({ description: 'Who is told what becomes of its webhooks; null: nobody', example: 'webhooks@acme.example' }),
  reason,
});

export function patchPartners(
  app: ZodApp,
  deps: DepsOf<typeof changePartner> & DepsOf<typeof getPartner> & FourEyesDeps,
): void {
  const handle = fourEyes(app, deps, {
    name: 'PATCH /partners/:id',
    params: idParams,
    body,
    // Where logins, events and new secrets go: whoever has those can act for the partner or its customers.
    waits: async ({ params, body: { name, ...where } }) => {
      const { redirectUrl, webhookUrl, contactEmail } = where;
      const isElsewhere = [redirectUrl, webhookUrl, contactEmail].some((given) => given !== undefined);
      if (deps.environment !== 'live' || !isElsewhere) return 'never';
      await assertPartnerChange(deps, { name, ...where });
      await getPartner(deps, params.id);
      return 'always';
    },
    repeatable: false,
    run: async ({ params, body: change, actor }) =>
      toPartner(await changePartner(deps, { ...change, ...params, actor })),
  });
  app.patch(
    '/partners/:id',
    {
      schema: {
        operationId: 'changePartner',
        summary: 'Change what a partner is called, and where its customers and its events are sent',
        description: 'In live another operator approves another redirectUrl, webhookUrl and contactEmail first.',
        params: idParams,
        body,
        response: {
          200: partnerShape,
          202: approvalShape,
          ...failuresFor('REDIRECT_URL_REFUSED', 'WEBHOOK_TARGET_REFUSED', 'PARTNER_NOT_FOUND'),
        },
      },
    },
    handle,
  );
}
