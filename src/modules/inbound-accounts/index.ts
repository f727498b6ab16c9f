export type { AccountView } from './account-view.ts';
export { assignAccount } from './assign-account.ts';
export { findWalletOfNumber, listAccounts } from './find-accounts.ts';
export { invariants } from './invariants.ts';
export { exportOf } from './person-store.ts';
export { retention } from './retention.ts';
export { sealedColumns } from './sealed-account.ts';
