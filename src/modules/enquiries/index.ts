export { readTransaction, type TransactionInFull } from './read-transaction.ts';
