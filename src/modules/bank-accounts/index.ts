export { enquireAccount } from './enquire-account.ts';
export { getBankAccount } from './get-bank-account.ts';
export { invariants } from './invariants.ts';
export { linkBankAccount } from './link-bank-account.ts';
export type { LinkedAccount } from './linked-account.ts';
export { sealedColumns } from './linked-account.ts';
export { isNamedAfter } from './name-match.ts';
export { eraseOf, exportOf } from './person-store.ts';
export { retention } from './retention.ts';
