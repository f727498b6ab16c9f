import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listWallets } from '#modules/wallets';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { partnerWalletShape, toPartnerWallet } from './shapes.ts';

const pages = pagedBy('wallets', numberKey);

export function getWallet(app: ZodApp, deps: DepsOf<typeof listWallets>): void {
  app.get(
    '/wallet',
    {
      schema: {
        tags: ['Wallets', 'Extension'],
        operationId: 'listWallets',
        summary: "This partner's wallets, newest first",
        security: partnerOnly,
        querystring: pages.query,
        response: { 200: listOf(partnerWalletShape) },
      },
    },
    async (request, reply) => {
      const found = await listWallets(deps, { partnerId: partnerOf(request).id, ...request.query });
      reply.header('cache-control', 'no-store');
      return pages.page(found, request.query, toPartnerWallet);
    },
  );
}
