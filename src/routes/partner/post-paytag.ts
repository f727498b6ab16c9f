import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import { partnerWalletShape, toPartnerWallet } from '#http/wallet-shapes.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { createPayTag } from '#modules/onboarding';
import type { Resources } from '../../resources.ts';
import { payTagBody } from './paytag-body.ts';

export function postPaytag(app: ZodApp, resources: Resources): void {
  app.post(
    '/paytag',
    {
      schema: {
        tags: ['PayTags'],
        summary: 'Create a customer with PayTag and wallet',
        security: partnerOnly,
        body: payTagBody,
        response: { 200: partnerWalletShape, ...failuresFor(400, 401, 403, 409, 502) },
      },
    },
    async (request) => {
      const view = await createPayTag(resources, { ...request.body, partnerId: partnerOf(request).id });
      return toPartnerWallet(view);
    },
  );
}
