import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { settleFloat } from '#modules/wallets';
import { toMajor } from '#wire/money.ts';
import { balanceShape, fundingBody } from './shapes/funding.ts';
import { partnerParams } from './shapes/partner.ts';

export function postPartnersSettlement(app: ZodApp, deps: DepsOf<typeof settleFloat>): void {
  app.post(
    '/partners/:id/settlement',
    {
      schema: {
        summary: 'Take from a partner’s float what was paid out to it',
        params: partnerParams,
        body: fundingBody,
        response: { 200: balanceShape, ...failuresFor(400, 401, 404, 409, 422) },
      },
    },
    async (request) => {
      const settlement = { ...request.body, partnerId: request.params.id, actor: request.credential };
      return { currency: settlement.currency, balance: toMajor(await settleFloat(deps, settlement)) };
    },
  );
}
