import { sha256 } from '#lib/crypto/digest.ts';
import type { InboundProvider } from './port.ts';

/** A bank for development: each wallet has the same account number whenever it is asked for, one that begins with 9. */
export const inboundSimulator: InboundProvider = {
  name: 'simulator',
  async assign({ wallet, firstName, lastName }) {
    const digits = (sha256(wallet).readBigUInt64BE() % 1_000_000_000n).toString().padStart(9, '0');
    return {
      accountNumber: `9${digits}`,
      bankName: 'PayTag Test Bank',
      bankCode: '999',
      accountName: `PAYTAG/${lastName} ${firstName}`.toUpperCase(),
    };
  },
};
