import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changePartner } from '#modules/partners';
import { emailAddress, optional, reason, trustedName, webUrl } from '#wire/text.ts';
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

export function patchPartners(app: ZodApp, deps: DepsOf<typeof changePartner>): void {
  app.patch(
    '/partners/:id',
    {
      schema: {
        operationId: 'changePartner',
        summary: 'Change what a partner is called, and where its customers and its events are sent',
        params: idParams,
        body,
        response: {
          200: partnerShape,
          ...failuresFor('REDIRECT_URL_REFUSED', 'WEBHOOK_TARGET_REFUSED', 'PARTNER_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const change = { ...request.body, ...request.params, actor: request.actor };
      return toPartner(await changePartner(deps, change));
    },
  );
}
