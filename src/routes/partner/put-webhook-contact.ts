import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { changeContact } from '#modules/clients';
import { emailAddress } from '#wire/text.ts';

/** Null or empty: none. It must be said, so that an empty body takes no address away. */
const body = z.object({
  email: z
    .preprocess((given) => (given === '' ? null : given), emailAddress.nullable())
    .meta({ example: 'webhooks@acme.example' }),
});

const contactShape = z.object({
  email: z.string().optional().meta({ description: 'Without it no one is notified', example: 'webhooks@acme.example' }),
});

export function putWebhookContact(app: ZodApp, deps: DepsOf<typeof changeContact>): void {
  app.put(
    '/webhook/contact',
    {
      schema: {
        tags: ['Webhook endpoints', 'Extension'],
        operationId: 'setWebhookContact',
        summary: 'Who is mailed when webhooks to this partner fail, wait or are paused',
        security: partnerOnly,
        body,
        response: { 200: contactShape, ...failuresFor() },
      },
    },
    async (request) => {
      const change = { ...request.body, actor: request.credential, partnerId: partnerOf(request).id };
      const { email } = await changeContact(deps, change);
      return { email };
    },
  );
}
