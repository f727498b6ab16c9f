import { z } from 'zod';
import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { registerSubject } from '#modules/clients';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { subjectShape, toSubject } from '#wire/tag.ts';
import { emailAddress, externalId, metadata, optional, shownName, webUrl } from '#wire/text.ts';

const body = z.object({
  externalId: externalId.meta({ description: 'Your own name for it, unique among your subjects' }),
  displayName: optional(shownName(100)),
  email: optional(emailAddress),
  imageUrl: optional(webUrl),
  metadata: optional(metadata),
});

export function postSubjects(app: ZodApp, deps: DepsOf<typeof registerSubject> & { clock: Clock }): void {
  app.post(
    '/subjects',
    {
      schema: {
        tags: ['Application identity'],
        operationId: 'createSubject',
        summary: 'Register a subject: somebody who can own tags and have claims on them',
        security: applicationOnly,
        body,
        response: {
          200: envelopeOf(subjectShape).describe('It was there already, with this content'),
          201: envelopeOf(subjectShape),
          ...failuresFor('NAME_RESERVED', 'SUBJECT_EXISTS'),
        },
      },
    },
    async (request, reply) => {
      const { subject, created } = await registerSubject(deps, applicationOf(request), request.body);
      const message = created ? 'subject registered' : 'subject already registered';
      return reply.code(created ? 201 : 200).send(enveloped(deps.clock, message, toSubject(subject)));
    },
  );
}
