import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createPartner } from '#modules/partners';
import { momentOut } from '#wire/moment.ts';
import { emailAddress, optional, optionalReason, trustedName, webUrl } from '#wire/text.ts';
import { partnerClientId, partnerStatus } from './shapes/partner.ts';

const created = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: 'Acme Pay' }),
  clientId: partnerClientId,
  apiKey: z.string().meta({ description: 'In live good for three days: keys that last go to the partner alone' }),
  redirectUrl: z.string(),
  webhookUrl: z.string().optional(),
  contactEmail: z.string().optional(),
  webhookSecret: z.string(),
  status: partnerStatus,
  createdAt: momentOut,
});

export function postPartners(app: ZodApp, deps: DepsOf<typeof createPartner>): void {
  app.post(
    '/partners',
    {
      schema: {
        operationId: 'createPartner',
        summary: 'Create a partner: its secrets are in this answer and nowhere else',
        description:
          'In live the key of this answer is good for three days. Meanwhile the owner proves the contact and is mailed a link to a key of their own.',
        body: z.object({
          name: trustedName(200),
          redirectUrl: webUrl,
          webhookUrl: optional(webUrl),
          contactEmail: optional(emailAddress).meta({
            description: 'Who is told what becomes of its webhooks',
            example: 'webhooks@acme.example',
          }),
          reason: optionalReason,
        }),
        response: { 201: created, ...failuresFor('REDIRECT_URL_REFUSED', 'WEBHOOK_TARGET_REFUSED') },
      },
    },
    async (request, reply) => {
      const partner = await createPartner(deps, request.actor, request.body);
      reply.code(201);
      return { ...partner, createdAt: partner.createdAt.toISOString() };
    },
  );
}
