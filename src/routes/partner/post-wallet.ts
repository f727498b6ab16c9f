import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createKycWallet } from '#modules/wallets';
import { currencyCode } from '#wire/money.ts';
import { optional, text } from '#wire/text.ts';
import { partnerWalletShape, toPartnerWallet } from './shapes.ts';

const body = z.object({
  kyc: z.object({ firstName: text(100), lastName: text(100), otherName: optional(text(100)) }).nullish(),
  profileId: z.int().min(1).nullish(),
  currency: currencyCode.default('NGN'),
});

export function postWallet(app: ZodApp, deps: DepsOf<typeof createKycWallet>): void {
  app.post(
    '/wallet',
    {
      schema: {
        tags: ['Wallets'],
        summary: 'Open a wallet for a KYC profile',
        security: partnerOnly,
        body,
        response: { 200: partnerWalletShape, ...failuresFor(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { kyc, profileId, currency } = request.body;
      const view = await createKycWallet(deps, {
        partnerId: partnerOf(request).id,
        kyc: kyc ?? undefined,
        profileId: profileId ?? undefined,
        currency,
      });
      return toPartnerWallet(view);
    },
  );
}
