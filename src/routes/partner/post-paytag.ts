import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createPayTag } from '#modules/accounts';
import { partnerWalletShape, payTagBody, toPartnerWallet } from './shapes.ts';

export function postPaytag(app: ZodApp, deps: DepsOf<typeof createPayTag>): void {
  app.post(
    '/paytag',
    {
      schema: {
        tags: ['PayTags'],
        operationId: 'createPayTag',
        summary: 'Create a customer with PayTag and wallet',
        security: partnerOnly,
        body: payTagBody,
        response: {
          200: partnerWalletShape,
          ...failuresFor(
            'BVN_MISMATCH',
            'BVN_NOT_FOUND',
            'INVALID_PAYTAG',
            'NAME_RESERVED',
            'PAYTAG_RESERVED',
            'BVN_ALREADY_REGISTERED',
            'PAYTAG_TAKEN',
            'BVN_PROVIDER_UNAVAILABLE',
          ),
        },
      },
    },
    async (request) => {
      const view = await createPayTag(deps, { ...request.body, partnerId: partnerOf(request).id });
      return toPartnerWallet(view);
    },
  );
}
