import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { verifyTag } from '#modules/accounts';
import { text } from '#wire/text.ts';

export function getVerifyTag(app: ZodApp, deps: DepsOf<typeof verifyTag>): void {
  app.get(
    '/verify-tag',
    {
      schema: {
        tags: ['Onboarding'],
        operationId: 'checkPayTag',
        summary: 'Whether a PayTag can be had',
        security: partnerOnly,
        querystring: z.object({ paytag: text(100) }),
        response: { 200: z.object({ paytag: z.string(), available: z.boolean() }), ...failuresFor('INVALID_PAYTAG') },
      },
    },
    async (request) => verifyTag(deps, { partnerId: partnerOf(request).id, paytag: request.query.paytag }),
  );
}
