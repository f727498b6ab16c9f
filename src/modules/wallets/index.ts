export { listBeneficiaries, removeBeneficiary } from './beneficiaries.ts';
export { changeWallet, freezeWallets, releaseWallets } from './change-wallet.ts';
export { endWallets, remainsIn, revokeWallet } from './end-wallets.ts';
export {
  type DailyLimits,
  type FoundWallet,
  findHolderOfNuban,
  findPayingWallet,
  findWallet,
  findWalletByNuban,
  findWalletOfAccount,
  findWalletOfReference,
  findWalletsForOperator,
  getCustomerWallet,
  getDailyLimit,
  getPartnerWallet,
  getWalletForOperator,
  limitOfTier,
  listWallets,
  type OperatorWalletSummary,
  type OperatorWalletView,
  type PartnerWalletView,
  type PayingWallet,
  walletsOfCustomer,
} from './find-wallets.ts';
export {
  findCustomerTransfer,
  getCustomerHistory,
  getWalletHistory,
  partOf,
  type StatementRow,
  walletStatement,
} from './history.ts';
export {
  accountOfWallet,
  liftLienOf,
  liftWalletLien,
  listWalletHolds,
  listWalletLiens,
  lockWallet,
  placeLienFor,
  placeWalletLien,
} from './liens.ts';
export { cacheMovementAccounts, creditWallet, debitWallet, type MovementAccountsCache } from './move-money.ts';
export { createKycWallet, hasProvenWallet, openCustomerWallet } from './open-wallet.ts';
export { amountToRefund, isRefundable, refundForOperator, refundTransaction, refundWithin } from './refund.ts';
export { accountsOfCustomer, room } from './room.ts';
export { routedWallet } from './store.ts';
export { partnerWallet } from './tables.ts';
export { createTransfers, type Transfers, transfer, transferReference } from './transfer.ts';
export { assertWallet, verified, type walletRoute } from './wallet-route.ts';
export {
  getTransaction,
  readAsPosted,
  toTransaction,
  transactionOf,
  type WalletTransaction,
} from './wallet-transaction.ts';
