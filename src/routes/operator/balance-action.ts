import type { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ErrorCode } from '#lib/domain-error.ts';
import type { Minor } from '#modules/ledger';
import { toMajor } from '#wire/money.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { balanceShape, fundingBody } from './shapes/funding.ts';
import { idParams } from './shapes/params.ts';

/** The schema of every movement of money into or out of the float of a partner or the settlement wallet of an application. `codes`: what one refuses besides. */
export const balanceAction = <Code extends ErrorCode>(...codes: Code[]) => ({
  params: idParams,
  body: fundingBody,
  response: {
    200: balanceShape,
    202: approvalShape,
    ...failuresFor<'REFERENCE_REUSED' | 'BALANCE_EXCEEDED' | Code>('REFERENCE_REUSED', 'BALANCE_EXCEEDED', ...codes),
  },
});

/** What is moved, and whose it is. */
type Movement = z.infer<typeof fundingBody> & { id: string; actor: string };

/** Moves money into or out of what a request names, and answers what stands in it then. */
export const balanceHandler = (
  app: ZodApp,
  deps: FourEyesDeps,
  name: string,
  move: (movement: Movement) => Promise<Minor>,
) =>
  fourEyes(app, deps, {
    name,
    params: idParams,
    body: fundingBody,
    waits: ({ body }) => body.amount,
    repeatable: true,
    run: async ({ params: { id }, body, actor }) => {
      const balance = await move({ ...body, id, actor });
      return { currency: body.currency, balance: toMajor(balance) };
    },
  });
