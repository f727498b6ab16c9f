import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { linkPayTagByBvn } from '#modules/accounts';
import { bvn } from '#wire/text.ts';
import { partnerWalletShape, toPartnerWallet } from './shapes.ts';

export function postPaytagBvn(app: ZodApp, deps: DepsOf<typeof linkPayTagByBvn>): void {
  app.post(
    '/paytag/bvn/:bvn',
    {
      schema: {
        tags: ['PayTags'],
        operationId: 'linkPayTag',
        summary: 'Link the PayTag of a BVN to this partner',
        security: partnerOnly,
        params: z.object({ bvn }),
        response: { 200: partnerWalletShape, ...failuresFor('PAYTAG_NOT_FOUND') },
      },
    },
    async (request) => {
      const view = await linkPayTagByBvn(deps, { partnerId: partnerOf(request).id, bvn: request.params.bvn });
      return toPartnerWallet(view);
    },
  );
}
