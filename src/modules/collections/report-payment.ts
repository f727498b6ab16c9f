import type { DepsOf } from '#lib/deps-of.ts';
import { type GatewayPayment, reportGatewayPayment } from './report-gateway-payment.ts';
import { type InboundPayment, reportInbound } from './report-inbound.ts';
import { reportTerminalPayment, type TerminalPayment } from './report-terminal-payment.ts';

type ReportedPayment =
  | (GatewayPayment & { type: 'PARTNER_GATEWAY' })
  | (TerminalPayment & { type: 'PARTNER_TERMINAL' })
  | (InboundPayment & { type: 'INBOUND' });

/**
 * Takes in a payment as the rails report it, by its type.
 *
 * @throws DomainError as reportGatewayPayment, reportTerminalPayment and reportInbound do
 */
export function reportPayment(
  deps: DepsOf<typeof reportGatewayPayment> & DepsOf<typeof reportTerminalPayment> & DepsOf<typeof reportInbound>,
  payment: ReportedPayment,
): ReturnType<typeof reportInbound> {
  if (payment.type === 'PARTNER_GATEWAY') return reportGatewayPayment(deps, payment);
  if (payment.type === 'PARTNER_TERMINAL') return reportTerminalPayment(deps, payment);
  return reportInbound(deps, payment);
}
