import { requirePartner } from '#http/auth/partner.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import { noStore } from '#http/response-headers.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { getHooks } from './get-hooks.ts';
import { getOtp } from './get-otp.ts';
import { postEvents } from './post-events.ts';
import { postHooks } from './post-hooks.ts';
import { postPaymentGateway } from './post-payment-gateway.ts';
import { postPaymentInbound } from './post-payment-inbound.ts';
import { postPaymentTerminal } from './post-payment-terminal.ts';
import { postTerminalSplitPay } from './post-terminal-split-pay.ts';
import { postTransactionFail } from './post-transaction-fail.ts';
import { postWalletCredit } from './post-wallet-credit.ts';
import { postWalletDebit } from './post-wallet-debit.ts';

const endpoints = [
  postWalletCredit,
  postWalletDebit,
  postPaymentGateway,
  postPaymentTerminal,
  postPaymentInbound,
  postTerminalSplitPay,
  postTransactionFail,
  getOtp,
  postEvents,
  getHooks,
];

type Deps = DepsOfEndpoints<typeof endpoints> &
  Parameters<typeof requirePartner>[1] &
  Parameters<typeof honourIdempotencyKeys>[1] &
  Parameters<typeof postHooks>[1];

/** The sandbox API: what makes happen to a partner's own things what else the world does. It is not mounted in live. */
export const sandboxPlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  await app.register(async (receivers: ZodApp) => postHooks(receivers, deps));
  await app.register(async (asked: ZodApp) => {
    requirePartner(asked, deps);
    honourIdempotencyKeys(asked, deps);
    for (const endpoint of endpoints) endpoint(asked, deps);
  });
};
