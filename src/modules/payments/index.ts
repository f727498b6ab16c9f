export { findSenders } from './find-senders.ts';
export { reportGatewayPayment } from './report-gateway-payment.ts';
export { reportInbound } from './report-inbound.ts';
export { reportTerminalPayment } from './report-terminal-payment.ts';
