export { getBankAccount } from './get-bank-account.ts';
export { enquireAccount, isNamedAfter, linkBankAccount } from './link-bank-account.ts';
export type { LinkedAccount } from './linked-account.ts';
export { room } from './room.ts';
