import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { completeCreation } from '#modules/accounts';
import { emailAddress, optional, text, webUrl } from '#wire/text.ts';
import { payTagShape, toPayTag } from '#wire/wallet.ts';
import { newPassword, sessionParams } from './shapes.ts';

const body = z.object({
  paytag: text(100).meta({ example: 'ada.obi' }),
  password: newPassword,
  email: optional(
    emailAddress.meta({ description: 'Kept where none is proven, and not proven by it: it takes no codes' }),
  ),
  imageUrl: optional(webUrl),
});

export function postCreateTagComplete(app: ZodApp, deps: DepsOf<typeof completeCreation>): void {
  app.post(
    '/create-tag/:session/complete',
    {
      schema: {
        tags: ['Onboarding'],
        operationId: 'completeOnboarding',
        summary: 'Create the PayTag, with a password, in a validated session',
        security: partnerOnly,
        params: sessionParams,
        body,
        response: {
          200: payTagShape,
          ...failuresFor(
            'INVALID_PAYTAG',
            'PAYTAG_RESERVED',
            'WEAK_PASSWORD',
            'SESSION_NOT_FOUND',
            'BVN_ALREADY_REGISTERED',
            'PAYTAG_MISMATCH',
            'PAYTAG_TAKEN',
            'SESSION_COMPLETED',
            'SESSION_NOT_VALIDATED',
            'SESSION_EXPIRED',
          ),
        },
      },
    },
    async (request) => {
      const { session } = request.params;
      const payTag = await completeCreation(deps, {
        ...request.body,
        partnerId: partnerOf(request).id,
        session,
      });
      return toPayTag(payTag);
    },
  );
}
