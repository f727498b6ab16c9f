import { randomBytes } from 'node:crypto';

/** Keys the Standard Webhooks signature: 256 random bits, base64 after the prefix that the standard asks for. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
