export { acceptTransaction } from './accept-transaction.ts';
export { cancelTransaction, rejectTransaction } from './close-transaction.ts';
export { expireTransactions } from './expire-transactions.ts';
export { getTransaction } from './get-transaction.ts';
export { initiateTransaction } from './initiate-transaction.ts';
export { listPending } from './list-pending.ts';
export { sortProperties } from './pending-store.ts';
export { transactionData } from './transaction-data.ts';
export type { TransactionView, WebhookRecord } from './webhook-record.ts';
