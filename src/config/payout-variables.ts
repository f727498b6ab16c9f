import { choice, integer, origin, secret } from './formats.ts';

/** Who carries payouts, and when it is asked about them. */
export const payoutVariables = {
  PAYOUT_PROVIDER: choice('none', 'simulator', 'paystack').describe(
    'who carries payouts to bank accounts; in live no simulator',
  ),
  PAYOUT_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe('milliseconds that the provider of payouts has to answer'),
  PAYOUT_VERIFY_BASE_MS: integer(100, 600_000).describe(
    'milliseconds until the provider is first asked what became of a payout of unknown end; it doubles each time',
  ),
  PAYOUT_NOT_FOUND_AFTER_S: integer(1, 86_400)
    .default(900)
    .describe('seconds after which a payout that the provider still does not know counts as never sent'),
  PAYOUT_PAYSTACK_URL: origin.default('https://api.paystack.co').describe('address of Paystack'),
  PAYOUT_PAYSTACK_SECRET_KEY: secret.describe('our secret key at Paystack, for payouts'),
};
