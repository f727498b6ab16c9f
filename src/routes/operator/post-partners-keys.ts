import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { addApiKey } from '#modules/partners';
import { idParams } from './shapes/params.ts';
import { keyShape, toKey } from './shapes/partner.ts';
import { optionalReasonBody } from './shapes/reason.ts';

export function postPartnersKeys(app: ZodApp, deps: DepsOf<typeof addApiKey>): void {
  app.post(
    '/partners/:id/keys',
    {
      schema: {
        operationId: 'createApiKey',
        summary: 'Give a partner another API key, beside the one it has: it is in this answer and nowhere else',
        params: idParams,
        body: optionalReasonBody,
        response: {
          201: keyShape.extend({ apiKey: z.string() }),
          ...failuresFor('PARTNER_NOT_FOUND', 'API_KEY_LIMIT'),
        },
      },
    },
    async (request, reply) => {
      const addition = { ...request.body, partnerId: request.params.id, actor: request.actor };
      const { apiKey, ...key } = await addApiKey(deps, addition);
      reply.code(201);
      return { ...toKey(key), apiKey };
    },
  );
}
