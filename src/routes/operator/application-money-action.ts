import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { fundApplication } from '#modules/applications';
import { toMajor } from '#wire/money.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { balanceShape, fundingBody } from './shapes/funding.ts';
import { idParams } from './shapes/params.ts';

/** The schema of every movement of money into or out of an application's settlement wallet. */
export const applicationMoneyAction = {
  params: idParams,
  body: fundingBody,
  response: { 200: balanceShape, 202: approvalShape, ...failuresFor(400, 401, 404, 409, 422) },
};

export type ApplicationMoneyDeps = DepsOf<typeof fundApplication> & FourEyesDeps;

/** Moves money into or out of the wallet of the application that a request names, and answers what stands in it then. */
export const applicationMoneyHandler = (
  app: ZodApp,
  deps: ApplicationMoneyDeps,
  name: string,
  move: typeof fundApplication,
) =>
  fourEyes(app, deps, {
    name,
    params: idParams,
    body: fundingBody,
    waits: ({ body }) => body.amount,
    repeatable: true,
    run: async ({ params, body, actor }) => {
      const balance = await move(deps, { ...body, applicationId: params.id, actor });
      return { currency: body.currency, balance: toMajor(balance) };
    },
  });
