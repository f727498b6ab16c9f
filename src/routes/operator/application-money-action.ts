import type { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { fundApplication } from '#modules/applications';
import { toMajor } from '#wire/money.ts';
import { balanceShape, fundingBody } from './shapes/funding.ts';
import { idParams } from './shapes/params.ts';

/** The schema of every movement of money into or out of an application's settlement wallet. */
export const applicationMoneyAction = {
  params: idParams,
  body: fundingBody,
  response: { 200: balanceShape, ...failuresFor(400, 401, 404, 409, 422) },
};

interface MoneyRequest {
  params: z.output<typeof idParams>;
  body: z.output<typeof fundingBody>;
  actor: string;
}

/** Moves money into or out of the wallet of the application that a request names, and answers what stands in it then. */
export async function runApplicationMoneyAction(
  deps: DepsOf<typeof fundApplication>,
  move: typeof fundApplication,
  { params, body, actor }: MoneyRequest,
): Promise<z.input<typeof balanceShape>> {
  const balance = await move(deps, { ...body, applicationId: params.id, actor });
  return { currency: body.currency, balance: toMajor(balance) };
}
