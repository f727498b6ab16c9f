import { z } from 'zod';
import { credentialsOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { signPortalLink } from '#modules/clients';
import { momentOut } from '#wire/moment.ts';

const portalLink = z.object({
  url: z.string().meta({
    description: 'Anyone with the link sees this partner’s webhooks',
    example: 'https://pay.example/webhooks/open/…',
  }),
  expiresAt: momentOut,
});

export function postWebhookPortal(app: ZodApp, deps: DepsOf<typeof signPortalLink>): void {
  app.post(
    '/webhook/portal',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'createPortalLink',
        summary: 'A link, good for an hour, to pages on which a person looks after this partner’s webhooks',
        security: partnerOnly,
        response: { 200: portalLink },
      },
    },
    async (request) => {
      const { clientId = '', apiKey = '' } = credentialsOf(request);
      const { url, expiresAt } = signPortalLink(deps, { clientId, apiKey });
      return { url, expiresAt: expiresAt.toISOString() };
    },
  );
}
