import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { registerApplication } from '#modules/clients';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { momentOut } from '#wire/moment.ts';
import { emailAddress, optional, shownName, webUrl } from '#wire/text.ts';

const body = z.object({
  applicationName: shownName(100),
  email: optional(emailAddress),
  imageUrl: optional(webUrl),
  webhookUrl: optional(webUrl),
});

const applicationShape = z
  .object({
    applicationId: z.uuid(),
    applicationName: z.string(),
    namespace: z.string().meta({ description: 'The part after the @ of its qualified addresses' }),
    status: z.enum(['ACTIVE', 'PENDING', 'SUSPENDED']),
    client_id: z.string(),
    client_secret: z.string().meta({ description: 'Shown this once' }),
    webhookUrl: z.string().optional(),
    webhookSecret: z.string().meta({ description: 'Keys webhook-signature (Standard Webhooks); shown this once' }),
    createdAt: momentOut,
  })
  .meta({ id: 'Application' });

export function postApplications(app: ZodApp, deps: DepsOf<typeof registerApplication> & { clock: Clock }): void {
  app.post(
    '/applications',
    {
      schema: {
        tags: ['Application identity'],
        operationId: 'registerApplication',
        summary: 'Register an application',
        body,
        response: {
          201: envelopeOf(applicationShape),
          ...failuresFor('APPLICATION_NAME_RESERVED', 'WEBHOOK_TARGET_REFUSED', 'TOO_MANY_REQUESTS'),
        },
      },
    },
    async (request, reply) => {
      const { applicationName, email, imageUrl, webhookUrl } = request.body;
      const created = await registerApplication(deps, {
        name: applicationName,
        email,
        imageUrl,
        webhookUrl,
        address: request.ip,
      });
      const { id, name, namespace, status, clientId, clientSecret, webhookSecret, createdAt } = created;
      const data = {
        applicationId: id,
        applicationName: name,
        namespace,
        status,
        client_id: clientId,
        client_secret: clientSecret,
        webhookUrl: created.webhookUrl,
        webhookSecret,
        createdAt: createdAt.toISOString(),
      };
      reply.header('cache-control', 'no-store');
      return reply.code(201).send(enveloped(deps.clock, 'application registered', data));
    },
  );
}
