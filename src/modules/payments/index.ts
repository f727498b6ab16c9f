export { publishSettled } from './after-settling.ts';
export { findReports, type ReportedBy } from './find-reports.ts';
export { findSenders } from './find-senders.ts';
export {
  type FoundTransaction,
  findByReference,
  findTransactions,
  findWalletHistory,
  toFound,
} from './find-transactions.ts';
export { reportGatewayPayment } from './report-gateway-payment.ts';
export { collectInbound, findCollectedBetween, findInbound, inboundReference } from './report-inbound.ts';
export { reportPayment } from './report-payment.ts';
export { reportTerminalPayment } from './report-terminal-payment.ts';
export { room } from './room.ts';
