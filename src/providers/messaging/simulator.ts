import type { PhoneMessenger } from './port.ts';

/** Sends nothing. Its code is always 123456, so that a developer needs no phone. */
export const phoneSimulator: PhoneMessenger = {
  async send() {},
  newCode: () => '123456',
};
