import type { BankProvider } from './port.ts';

const banks: Record<string, string> = {
  '011': 'First Bank of Nigeria',
  '033': 'United Bank For Africa',
  '044': 'Access Bank',
  '057': 'Zenith Bank',
  '058': 'Guaranty Trust Bank',
};

/** Banks for development: an account number that ends in 1 does not exist; any other account is the claimant's. */
export const bankSimulator: BankProvider = {
  async enquire({ accountNumber, bankCode, claimant: { firstName, otherName, lastName } }) {
    if (accountNumber.endsWith('1')) return undefined;
    const names = [lastName, firstName, otherName].filter((name) => name !== undefined);
    return { bankName: banks[bankCode] ?? `Bank ${bankCode}`, accountName: names.join(' ').toUpperCase() };
  },
};
