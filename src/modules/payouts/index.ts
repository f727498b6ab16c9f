export { carryPayouts } from './carry-payouts.ts';
export { markPayout, verifyPayout } from './decide-payout.ts';
export { invariants } from './invariants.ts';
export { payOutForCustomer, payOutOfWallet } from './order-payout.ts';
export { sealedColumns } from './payout-account.ts';
export { payoutStates } from './payout-state.ts';
export { getPayout, listPayouts, type PayoutView } from './payout-view.ts';
export { exportOf } from './person-store.ts';
export { bringForward } from './time-store.ts';
