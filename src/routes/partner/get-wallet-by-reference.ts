import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { getPartnerWallet } from '#modules/wallets';
import { partnerWalletShape, toPartnerWallet, walletParams } from './shapes.ts';

export function getWalletByReference(app: ZodApp, { db, keyring }: { db: Database; keyring: Keyring }): void {
  app.get(
    '/wallet/:reference',
    {
      schema: {
        tags: ['Wallets', 'Extension'],
        operationId: 'getWallet',
        summary: 'A wallet of this partner',
        security: partnerOnly,
        params: walletParams,
        response: { 200: partnerWalletShape, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { reference } = request.params;
      const view = await getPartnerWallet(db, keyring, { partnerId: partnerOf(request).id, reference });
      reply.header('cache-control', 'no-store');
      return toPartnerWallet(view);
    },
  );
}
