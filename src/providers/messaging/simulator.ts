import type { MessagingProvider } from './port.ts';

/** Sends nothing. Its code is always 123456, so that a developer needs no phone. */
export const messagingSimulator: MessagingProvider = {
  async sendOtp() {},
  newCode: () => '123456',
};
