import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { addApiKey } from '#modules/partners';
import { handoverShape, toHandover } from '#wire/handover.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { type CredentialDeps, waitsInLive } from './new-credentials.ts';
import { approvalShape } from './shapes/approval.ts';
import { idParams } from './shapes/params.ts';
import { keyShape, toKey } from './shapes/partner.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postPartnersKeys(app: ZodApp, deps: DepsOf<typeof addApiKey> & FourEyesDeps & CredentialDeps): void {
  const handle = fourEyes(app, deps, {
    name: 'POST /partners/:id/keys',
    params: idParams,
    body: optionalReasonBody,
    waits: ({ params }) => waitsInLive(deps, { ownerKind: 'PARTNER', ownerId: params.id }),
    repeatable: false,
    run: async ({ params, body, actor, cause }) => {
      const toOwner = deps.environment === 'live';
      const made = await addApiKey(deps, { ...body, partnerId: params.id, actor, toOwner, cause });
      return { ...toKey(made), apiKey: made.apiKey, handover: toHandover(made) };
    },
  });
  app.post(
    '/partners/:id/keys',
    {
      schema: {
        operationId: 'createApiKey',
        summary: 'Give a partner another API key, beside the one it has: it is in this answer and nowhere else',
        description:
          'In live another operator approves it first, and the key is shown to the partner alone, once, by a link that is mailed to its proven contact.',
        params: idParams,
        body: optionalReasonBody,
        response: {
          201: keyShape.extend({
            apiKey: z.string().optional().meta({ description: 'Shown this once; in live to its owner alone' }),
            handover: handoverShape.optional(),
          }),
          202: approvalShape,
          ...failuresFor('PARTNER_NOT_FOUND', 'API_KEY_LIMIT', 'CONTACT_NOT_PROVEN'),
        },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return handle(request, reply);
    },
  );
}
