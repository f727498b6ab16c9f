import { choice, integer, origin, secret } from './formats.ts';

/** Who assigns account numbers to wallets, and tells us of what is paid to them. */
export const inboundVariables = {
  INBOUND_PROVIDER: choice('none', 'simulator', 'paystack').describe(
    'who assigns account numbers to wallets; in live no simulator',
  ),
  INBOUND_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe('milliseconds that the provider of account numbers has to answer'),
  INBOUND_PAYSTACK_URL: origin.default('https://api.paystack.co').describe('address of Paystack'),
  INBOUND_PAYSTACK_SECRET_KEY: secret.describe('our secret key at Paystack, for account numbers'),
  INBOUND_PAYSTACK_BANK: choice('titan-paystack', 'wema-bank', 'test-bank')
    .default('titan-paystack')
    .describe('the bank of the account numbers, as Paystack calls it; test-bank with a test key'),
};
