import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { payOutOfWallet } from '#modules/payouts';
import { amountIn } from '#wire/money.ts';
import { optional, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { accountNumber, bankCode } from '#wire/wallet.ts';
import { walletParams } from './shapes.ts';

const body = z.object({
  amount: amountIn,
  reference,
  accountNumber,
  bankCode,
  accountName: optional(text(300)).meta({
    description:
      'Whose the account is, where it is not the wallet’s owner’s: every word of it stands in the bank’s name',
    example: 'Ada Obi',
  }),
  comment: optional(text(500)),
});

export function postWalletPayout(app: ZodApp, deps: DepsOf<typeof payOutOfWallet>): void {
  app.post(
    '/wallet/:reference/payout',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'createPayout',
        summary: 'Pay a bank account out of a wallet',
        security: partnerOnly,
        params: walletParams,
        body,
        response: {
          200: transactionShape,
          ...failuresFor(
            'WALLET_NOT_FOUND',
            'BANK_ACCOUNT_NOT_FOUND',
            'ACCOUNT_NAME_MISMATCH',
            'BANK_PROVIDER_UNAVAILABLE',
            'CURRENCY_MISMATCH',
            'REFERENCE_REUSED',
            'INSUFFICIENT_FUNDS',
            'AMOUNT_TOO_SMALL',
            'WALLET_BLOCKED',
            'WALLET_PND',
            'PROVIDER_NOT_CONFIGURED',
          ),
        },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      const walletReference = request.params.reference;
      return toTransaction(await payOutOfWallet(deps, { ...request.body, partnerId, walletReference }));
    },
  );
}
