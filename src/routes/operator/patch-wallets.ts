import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { mayDo } from '#modules/operators';
import { changeWallet } from '#modules/wallets';
import { limitIn } from '#wire/money.ts';
import { optional, reason } from '#wire/text.ts';
import { tier, walletStatus } from '#wire/wallet.ts';
import { type FourEyesDeps, fourEyes } from './four-eyes.ts';
import { approvalShape } from './shapes/approval.ts';
import { toWallet, walletParams, walletShape } from './shapes/wallet.ts';

const body = z.object({
  status: optional(walletStatus),
  dailyLimit: limitIn.nullable().optional().meta({ description: 'null: what the tier allows' }),
  tier: tier.optional(),
  reason,
});

type Deps = DepsOf<typeof changeWallet> & FourEyesDeps;

export function patchWallets(app: ZodApp, deps: Deps): void {
  const handle = fourEyes(app, deps, {
    name: 'PATCH /wallets/:reference',
    params: walletParams,
    body,
    waits: 'as judged',
    repeatable: false,
    run: async ({ params, body: rules, actor, role, judge }) => {
      const isAdmin = mayDo(role, 'admin');
      return toWallet(await changeWallet(deps, { ...rules, ...params, actor, isAdmin, judge }));
    },
  });
  app.patch(
    '/wallets/:reference',
    {
      schema: {
        operationId: 'changeWallet',
        summary: 'Change the rules of a wallet; refunds that waited for it come in when it takes money again',
        description:
          'What lets more than APPROVAL_ABOVE be spent that could not be before, by a status or by a higher limit, waits for another operator.',
        params: walletParams,
        body,
        response: { 200: walletShape, 202: approvalShape, ...failuresFor('WALLET_NOT_FOUND', 'WALLET_REVOKED') },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return handle(request, reply);
    },
  );
}
