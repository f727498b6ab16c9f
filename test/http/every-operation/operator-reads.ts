import type { TestApp } from '../../support/app.ts';
import { partnerWithEvents } from '../../support/deliveries.ts';
import { another } from '../../support/tags.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { moveMoney } from '../../support/wallets.ts';

/** Reads of the operator API that look things up, by operation: the path of each, under the base address. */
export async function operatorReads(server: TestApp): Promise<Record<string, string>> {
  const { partner, wallet } = await partnerWithEvents(server);
  const reference = another('looked-up-');
  await moveMoney(server, partner, wallet, 'credit', { amount: 0.01, reference });
  const terminal = await newTerminal(server, partner);
  await newSplit(server, terminal, 10);
  return {
    'GET /operator/v1/claims': '/claims',
    'GET /operator/v1/customers': '/customers',
    'GET /operator/v1/federations': '/federations',
    'GET /operator/v1/overview': '/overview',
    'GET /operator/v1/operators/sessions': '/operators/sessions',
    'GET /operator/v1/receivers': '/receivers',
    'GET /operator/v1/sessions': '/sessions',
    'GET /operator/v1/splits': '/splits',
    'GET /operator/v1/tags': '/tags',
    'GET /operator/v1/terminals': '/terminals',
    'GET /operator/v1/throttles': '/throttles',
    'GET /operator/v1/terminals/{serialNumber}': `/terminals/${terminal}`,
    'GET /operator/v1/transactions/{reference}': `/transactions/${reference}?partnerId=${partner.id}`,
    'GET /operator/v1/wallets/{reference}/history': `/wallets/${wallet}/history`,
    'GET /operator/v1/wallets/{reference}/holds': `/wallets/${wallet}/holds`,
    'GET /operator/v1/wallets/{reference}/liens': `/wallets/${wallet}/liens`,
  };
}
