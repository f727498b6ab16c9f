export { type Found, foundKinds } from './found.ts';
export { type Overview, readOverview } from './overview.ts';
export { readTransaction, type TransactionInFull } from './read-transaction.ts';
export { search } from './search.ts';
export { type Sign, signNames, signStates } from './sign.ts';
