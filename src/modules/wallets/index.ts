export { changeWallet } from './change-wallet.ts';
export { createKycWallet } from './create-kyc-wallet.ts';
export { type DailyLimits, getDailyLimit, limitOfTier } from './daily-limit.ts';
export { endWallets, remainsIn, revokeWallet } from './end-wallets.ts';
export {
  type FoundWallet,
  findHolderOfNuban,
  findPayingWallet,
  findWallet,
  findWalletByNuban,
  findWalletOfAccount,
  findWalletOfReference,
  type PayingWallet,
} from './find-wallet.ts';
export { freezeWallets, releaseWallets } from './freeze-wallets.ts';
export { findCustomerTransfer, getCustomerHistory, getWalletHistory, partOf } from './history.ts';
export { accountOfWallet, listWalletHolds, listWalletLiens } from './holds-and-liens.ts';
export { listBeneficiaries } from './list-beneficiaries.ts';
export { creditWallet, debitWallet } from './move-money.ts';
export { cacheMovementAccounts, type MovementAccountsCache } from './movement-accounts.ts';
export { hasProvenWallet, openCustomerWallet } from './open-wallet.ts';
export {
  findWalletsForOperator,
  getWalletForOperator,
  type OperatorWalletSummary,
  type OperatorWalletView,
  walletsOfCustomer,
} from './operator-view.ts';
export { routedWallet } from './parts-store.ts';
export { amountToRefund, isRefundable, refundForOperator, refundTransaction, refundWithin } from './refund.ts';
export { removeBeneficiary } from './remove-beneficiary.ts';
export { accountsOfCustomer, room } from './room.ts';
export { partnerWallet } from './tables.ts';
export { createTransfers, type Transfers, transfer } from './transfer.ts';
export { transferReference } from './transfer-posting.ts';
export { liftLienOf, liftWalletLien, lockWallet, placeLienFor, placeWalletLien } from './wallet-liens.ts';
export { assertWallet, verified, type walletRoute } from './wallet-route.ts';
export { type StatementRow, walletStatement } from './wallet-statement.ts';
export {
  getTransaction,
  readAsPosted,
  toTransaction,
  transactionOf,
  type WalletTransaction,
} from './wallet-transaction.ts';
export { getCustomerWallet, getPartnerWallet, listWallets, type PartnerWalletView } from './wallet-view.ts';
