export { getBankAccount } from './get-bank-account.ts';
export { linkBankAccount } from './link-bank-account.ts';
export type { LinkedAccount } from './linked-account.ts';
export { sealedColumns } from './linked-account.ts';
export { eraseOf, exportOf } from './person-store.ts';
