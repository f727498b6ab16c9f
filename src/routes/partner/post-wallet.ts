import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createKycWallet } from '#modules/wallets';
import { currencyCode } from '#wire/money.ts';
import { metadata, optional, optionalIntegerId, personName } from '#wire/text.ts';
import { partnerWalletShape, toPartnerWallet } from './shapes.ts';

const names = z.object({ firstName: personName, lastName: personName, otherName: optional(personName) });

const body = z.object({
  kyc: optional(names).meta({ description: 'The names of a person' }),
  profileId: optionalIntegerId.meta({ example: 1001, description: 'Your own number of this person, 1 or more' }),
  currency: currencyCode.default('NGN'),
  metadata: optional(metadata).meta({ description: 'Shown as Wallet.Metadata' }),
});

export function postWallet(app: ZodApp, deps: DepsOf<typeof createKycWallet>): void {
  app.post(
    '/wallet',
    {
      schema: {
        tags: ['Wallets'],
        operationId: 'createWallet',
        summary: 'Open a wallet for a KYC profile',
        security: partnerOnly,
        body,
        response: { 200: partnerWalletShape, ...failuresFor('NAME_RESERVED', 'PROFILE_NOT_FOUND', 'PROFILE_MISMATCH') },
      },
    },
    async (request) =>
      toPartnerWallet(await createKycWallet(deps, { ...request.body, partnerId: partnerOf(request).id })),
  );
}
