import type { EmailProvider } from './port.ts';

/** Accepts every message and sends none. */
export const emailSimulator: EmailProvider = {
  async send() {},
};
