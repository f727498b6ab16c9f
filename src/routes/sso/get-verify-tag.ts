import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import { text } from '#http/text.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { verifyTag } from '#modules/onboarding';
import type { Resources } from '../../resources.ts';

export function getVerifyTag(app: ZodApp, resources: Resources): void {
  app.get(
    '/verify-tag',
    {
      schema: {
        tags: ['Onboarding'],
        summary: 'Whether a PayTag can be had',
        security: partnerOnly,
        querystring: z.object({ paytag: text(100) }),
        response: { 200: z.object({ paytag: z.string(), available: z.boolean() }), ...failuresFor(400, 401, 403) },
      },
    },
    async (request) => verifyTag(resources, { partnerId: partnerOf(request).id, paytag: request.query.paytag }),
  );
}
