import { requireApplication } from '#http/auth/application.ts';
import { requirePartner } from '#http/auth/partner.ts';
import { noStore } from '#http/headers.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { deleteProviders } from './delete-providers.ts';
import { getHooks } from './get-hooks.ts';
import { getOtp } from './get-otp.ts';
import { getProviders } from './get-providers.ts';
import { postApplicationTransaction } from './post-application-transaction.ts';
import { postApplicationWalletCredit } from './post-application-wallet-credit.ts';
import { postEvents } from './post-events.ts';
import { postHooks } from './post-hooks.ts';
import { postPaymentGateway } from './post-payment-gateway.ts';
import { postPaymentInbound } from './post-payment-inbound.ts';
import { postPaymentTerminal } from './post-payment-terminal.ts';
import { postTerminalSplitPay } from './post-terminal-split-pay.ts';
import { postTime } from './post-time.ts';
import { postTransactionFail } from './post-transaction-fail.ts';
import { postWalletCredit } from './post-wallet-credit.ts';
import { postWalletDebit } from './post-wallet-debit.ts';
import { putProviders } from './put-providers.ts';
import { asApplication, asPartner } from './shapes.ts';

const partnerEndpoints = [
  postWalletCredit,
  postWalletDebit,
  postPaymentGateway,
  postPaymentTerminal,
  postPaymentInbound,
  postTerminalSplitPay,
  postTransactionFail,
  getOtp,
];
const applicationEndpoints = [postApplicationTransaction, postApplicationWalletCredit];
/** What partners and applications may alike, each for what is their own. */
const sharedEndpoints = [postTime, getProviders, putProviders, deleteProviders, postEvents, getHooks];

type Deps = DepsOfEndpoints<typeof partnerEndpoints> &
  DepsOfEndpoints<typeof applicationEndpoints> &
  DepsOfEndpoints<typeof sharedEndpoints> &
  Parameters<typeof requirePartner>[1] &
  Parameters<typeof requireApplication>[1] &
  Parameters<typeof honourIdempotencyKeys>[1] &
  Parameters<typeof postHooks>[1];

/**
 * The sandbox API: what makes happen to the things of a partner, or of an application, what else the world and time do. It is
 * not mounted in live.
 */
export const sandboxPlugin = (deps: Deps) => async (app: ZodApp) => {
  noStore(app);
  await app.register(async (receivers: ZodApp) => postHooks(receivers, deps));
  await app.register(async (asked: ZodApp) => {
    requirePartner(asked, deps);
    honourIdempotencyKeys(asked, deps);
    for (const endpoint of partnerEndpoints) endpoint(asked, deps);
    for (const endpoint of sharedEndpoints) endpoint(asked, deps, asPartner);
  });
  await app.register(async (asked: ZodApp) => {
    requireApplication(asked, deps);
    honourIdempotencyKeys(asked, deps);
    for (const endpoint of applicationEndpoints) endpoint(asked, deps);
    await asked.register(
      async (shared: ZodApp) => {
        for (const endpoint of sharedEndpoints) endpoint(shared, deps, asApplication);
      },
      { prefix: '/application' },
    );
  });
};
