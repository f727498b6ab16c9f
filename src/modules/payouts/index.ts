export { applyProviderStatus } from './apply-provider-status.ts';
export type { LinkedAccount } from './bank-accounts.ts';
export { getBankAccount, linkBankAccount } from './bank-accounts.ts';
export { correctionAccounts, correctPayout, markPayout, verifyPayout } from './decide-payout.ts';
export {
  findCorrected,
  findOldestUnknown,
  findPayees,
  findPayoutOf,
  findSentBetween,
  findSentPayout,
  getPayout,
  listPayouts,
  type PayoutView,
} from './find-payouts.ts';
export { createPayoutOrders, type PayoutOrders, payOutForCustomer, payOutOfWallet } from './order-payout.ts';
export type { PayoutAccount } from './payout-account.ts';
export { payoutStates } from './payout-state.ts';
export { bringForward, contradictedPayouts, measurePayouts, room, unknownPayouts } from './room.ts';
export { sendPayouts } from './send-payouts.ts';
