import type { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { fundFloat } from '#modules/wallets';
import { toMajor } from '#wire/money.ts';
import { balanceShape, fundingBody } from './shapes/funding.ts';
import { idParams } from './shapes/params.ts';

/** The schema of every movement of money into or out of a partner's float. */
export const floatAction = {
  params: idParams,
  body: fundingBody,
  response: { 200: balanceShape, ...failuresFor(400, 401, 404, 409, 422) },
};

interface FloatRequest {
  params: z.output<typeof idParams>;
  body: z.output<typeof fundingBody>;
  actor: string;
}

/** Moves money into or out of the float of the partner that a request names, and answers what stands in it then. */
export async function runFloatAction(
  deps: DepsOf<typeof fundFloat>,
  moveFloat: typeof fundFloat,
  { params, body, actor }: FloatRequest,
): Promise<z.input<typeof balanceShape>> {
  const balance = await moveFloat(deps, { ...body, partnerId: params.id, actor });
  return { currency: body.currency, balance: toMajor(balance) };
}
