export type { AccountView } from './account-view.ts';
export { assignAccount } from './assign-account.ts';
export { findWalletOfNumber, listAccounts } from './find-accounts.ts';
export { room } from './room.ts';
