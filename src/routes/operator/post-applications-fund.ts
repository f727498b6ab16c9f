import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { fundApplication } from '#modules/applications';
import { toMajor } from '#wire/money.ts';
import { balanceShape, fundingBody } from './shapes/funding.ts';
import { idParams } from './shapes/params.ts';

export function postApplicationsFund(app: ZodApp, deps: DepsOf<typeof fundApplication>): void {
  app.post(
    '/applications/:id/fund',
    {
      schema: {
        summary: 'Fund an application’s settlement wallet',
        params: idParams,
        body: fundingBody,
        response: { 200: balanceShape, ...failuresFor(400, 401, 404, 409, 422) },
      },
    },
    async (request) => {
      const funding = { ...request.body, applicationId: request.params.id, actor: request.credential };
      return { currency: funding.currency, balance: toMajor(await fundApplication(deps, funding)) };
    },
  );
}
