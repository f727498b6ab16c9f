export type { AccountView } from './account-view.ts';
export { publishSettled } from './after-settling.ts';
export { assignAccount } from './assign-account.ts';
export { bookInbox, receiveAndBook } from './book-inbox.ts';
export {
  amountToCredit,
  creditMessage,
  dismissMessage,
  getMessage,
  listMessages,
  type MessageView,
  retryMessage,
} from './decide-message.ts';
export { findWalletOfNumber, listAccounts } from './find-accounts.ts';
export { findReports, type ReportedBy } from './find-reports.ts';
export { findSenders } from './find-senders.ts';
export {
  type FoundTransaction,
  findByReference,
  findTransactions,
  findWalletHistory,
  toFound,
} from './find-transactions.ts';
export { differences, messageStates } from './message-state.ts';
export { receiveMessage } from './receive-message.ts';
export { reportGatewayPayment } from './report-gateway-payment.ts';
export { findCollectedBetween, findInbound, inboundReference } from './report-inbound.ts';
export { reportPayment } from './report-payment.ts';
export { reportTerminalPayment } from './report-terminal-payment.ts';
export { differingMessages, measureUnreadable, room } from './room.ts';
