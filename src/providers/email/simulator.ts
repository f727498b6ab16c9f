import type { EmailProvider } from './port.ts';

/** Takes every message, and sends none. */
export const emailSimulator: EmailProvider = {
  async send() {},
};
