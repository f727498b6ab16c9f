export { bookInbox, receiveAndBook, receiveMessage } from './book-inbox.ts';
export {
  amountToCredit,
  creditMessage,
  dismissMessage,
  getMessage,
  listMessages,
  type MessageView,
  retryMessage,
} from './decide-message.ts';
export {
  type FoundTransaction,
  findByReference,
  findReports,
  findSenders,
  findTransactions,
  findWalletHistory,
  type ReportedBy,
  toFound,
} from './find-transactions.ts';
export type { AccountView } from './inbound-accounts.ts';
export { assignAccount, findWalletOfNumber, listAccounts } from './inbound-accounts.ts';
export { publishSettled } from './payment-events.ts';
export {
  findCollectedBetween,
  findInbound,
  inboundReference,
  reportGatewayPayment,
  reportPayment,
  reportTerminalPayment,
} from './report-payment.ts';
export { differingMessages, measureUnreadable, room } from './room.ts';
export { differences, messageStates } from './tables.ts';
