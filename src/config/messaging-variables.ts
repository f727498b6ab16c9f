import { choice, countries, integer, matching, origin, secret } from './formats.ts';

/** Who sends messages to phones, and to which. */
export const messagingVariables = {
  MESSAGING_PROVIDER: choice('simulator', 'termii').describe(
    'who sends one-time passwords to phones; in live no simulator',
  ),
  MESSAGING_COUNTRIES: countries
    .default(['NG'])
    .describe('countries whose mobile numbers may be sent one-time passwords; no other phone is taken'),
  MESSAGING_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe('milliseconds that the provider has to accept a message'),
  MESSAGING_TERMII_URL: origin.optional().describe('address of Termii for our account, as its dashboard shows it'),
  MESSAGING_TERMII_API_KEY: secret.describe('our API key at Termii'),
  MESSAGING_TERMII_SENDER_ID: matching(/^[A-Za-z0-9 -]{3,11}$/, 'must have 3 to 11 letters, digits, spaces or hyphens')
    .optional()
    .describe('the sender that text messages show'),
  MESSAGING_TERMII_WHATSAPP_DEVICE: matching(/^[\x20-\x7e]{1,100}$/, 'must be the name of a device')
    .optional()
    .describe('the Termii device that WhatsApp messages come from; without it the sender id'),
  MESSAGING_TERMII_ROUTE: choice('dnd', 'generic')
    .default('dnd')
    .describe('route of text messages: dnd reaches every phone, at any hour'),
};
