import { z } from 'zod';
import { operatorOf } from '#http/auth/operator.ts';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { mayDo } from '#modules/operators';
import { changeWallet } from '#modules/wallets';
import { limitIn } from '#wire/money.ts';
import { optional, reason } from '#wire/text.ts';
import { tier, walletStatus } from '#wire/wallet.ts';
import { toWallet, walletParams, walletShape } from './shapes/wallet.ts';

const body = z.object({
  status: optional(walletStatus),
  dailyLimit: limitIn.nullable().optional().meta({ description: 'null: what the tier allows' }),
  tier: tier.optional(),
  reason,
});

export function patchWallets(app: ZodApp, deps: DepsOf<typeof changeWallet>): void {
  app.patch(
    '/wallets/:reference',
    {
      schema: {
        operationId: 'changeWallet',
        summary: 'Change the rules of a wallet; refunds that waited for it come in when it takes money again',
        params: walletParams,
        body,
        response: { 200: walletShape, ...failuresFor('WALLET_NOT_FOUND', 'WALLET_REVOKED') },
      },
    },
    async (request, reply) => {
      const isAdmin = mayDo(operatorOf(request).role, 'admin');
      const change = { ...request.body, reference: request.params.reference, actor: request.actor, isAdmin };
      const wallet = await changeWallet(deps, change);
      reply.header('cache-control', 'no-store');
      return toWallet(wallet);
    },
  );
}
