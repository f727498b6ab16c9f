import type { InboundProvider } from './port.ts';

/** A bank for development: each wallet has the same account number whenever it is asked for, one that begins with 9, and no two the same. */
export const inboundSimulator: InboundProvider = {
  name: 'simulator',
  async assign({ account, firstName, lastName }) {
    const digits = String(account % 1_000_000_000).padStart(9, '0');
    return {
      accountNumber: `9${digits}`,
      bankName: 'PayTag Test Bank',
      bankCode: '999',
      accountName: `PAYTAG/${lastName} ${firstName}`.toUpperCase(),
    };
  },
};
