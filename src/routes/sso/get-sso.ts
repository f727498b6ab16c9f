import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getCreation } from '#modules/accounts';
import { creationShape, sessionParams } from './shapes.ts';

const payloadShape = creationShape
  .extend({
    bvn: z.string().meta({ description: 'Its last four digits', example: '*******5678' }),
    firstName: z.string(),
    lastName: z.string(),
    otherName: z.string().optional(),
    dateOfBirth: z.string(),
    paytag: z.string().optional(),
  })
  .meta({ id: 'CreationPayload' });

/** `GET /sso` itself. */
export function getSso(app: ZodApp, deps: DepsOf<typeof getCreation>): void {
  app.get(
    '/',
    {
      schema: {
        tags: ['Onboarding'],
        operationId: 'getSession',
        summary: 'What a creation session holds, and where it stands',
        security: partnerOnly,
        querystring: sessionParams,
        response: { 200: payloadShape, ...failuresFor('SESSION_NOT_FOUND', 'SESSION_EXPIRED') },
      },
    },
    async (request) => {
      const { session } = request.query;
      const creation = await getCreation(deps, { partnerId: partnerOf(request).id, session });
      return { ...creation, session, onboarding: session, expiresAt: creation.expiresAt.toISOString() };
    },
  );
}
