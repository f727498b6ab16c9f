export { enquireAccount } from './enquire-account.ts';
export { getBankAccount } from './get-bank-account.ts';
export { linkBankAccount } from './link-bank-account.ts';
export type { LinkedAccount } from './linked-account.ts';
export { isNamedAfter } from './name-match.ts';
export { room } from './room.ts';
