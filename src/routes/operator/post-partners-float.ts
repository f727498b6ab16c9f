import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fundFloat } from '#modules/wallets';
import { toMajor } from '#wire/money.ts';
import { balanceShape, fundingBody } from './shapes/funding.ts';
import { partnerParams } from './shapes/partner.ts';

export function postPartnersFloat(app: ZodApp, deps: DepsOf<typeof fundFloat>): void {
  app.post(
    '/partners/:id/float',
    {
      schema: {
        summary: 'Fund a partner’s float',
        params: partnerParams,
        body: fundingBody,
        response: { 200: balanceShape, ...failuresFor(400, 401, 404, 409, 422) },
      },
    },
    async (request) => {
      const funding = { ...request.body, partnerId: request.params.id, actor: request.credential };
      return { currency: funding.currency, balance: toMajor(await fundFloat(deps, funding)) };
    },
  );
}
