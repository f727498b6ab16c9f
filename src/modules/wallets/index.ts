export { createKycWallet } from './create-kyc-wallet.ts';
export { fundFloat } from './fund-float.ts';
export { creditWallet, debitWallet } from './move-money.ts';
export { openCustomerWallet } from './open-wallet.ts';
export type { Transaction } from './transaction.ts';
export { getCustomerWallet, type PartnerWalletView, viewWallet } from './view-wallet.ts';
