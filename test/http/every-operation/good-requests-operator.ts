import { newApplication } from '../../support/application.ts';
import { goodImport, newImport } from '../../support/bank-files.ts';
import { customerIdOf } from '../../support/customers.ts';
import { partnerWithEvents } from '../../support/deliveries.ts';
import { inDays, newDispute } from '../../support/disputes.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { newCustomer } from '../../support/onboarding.ts';
import { newOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { another } from '../../support/tags.ts';
import { newTerminal } from '../../support/terminals.ts';
import { earn, fundedWallet, moveMoney, newReference, newWallet } from '../../support/wallets.ts';
import { type GoodRequestsOf, type MakeGood, operatorReads } from './good-requests.ts';

const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const under = (path: string) => `/operator/v1${path}`;
const REASON = { reason: 'a test asks for it' };

/** Of the operator API. */
export const goodRequestsOfOperator: GoodRequestsOf = async (server) => {
  const { partner, wallet } = await partnerWithEvents(server);
  const { nuban } = await newWallet(server, partner);
  const customer = await newCustomer(server, partner);
  const terminal = await newTerminal(server, partner);
  const deliveries = await server.operate('GET', `/deliveries?partnerId=${partner.id}`);
  const delivery = deliveries.json<{ items: { id: string }[] }>().items[0]?.id;
  const application = (await newApplication(server)).applicationId;
  const { id: payout } = await unknownPayout(server);
  const message = await unknownPayment(server);

  const list = (path: string) => () => ({ url: under(path), headers });
  const funding = (path: string) => () => {
    return { url: under(path), headers, body: { amount: 1, reference: newReference() } };
  };
  const empty = (path: string) => () => ({ url: under(path), headers, body: {} });
  const change = (path: string) => () => ({ url: under(path), headers, body: { ...REASON } });
  const sender = { name: 'Bola Ade' };
  const reports: Record<string, object> = {
    PARTNER_GATEWAY: { partnerId: partner.id, sender },
    PARTNER_TERMINAL: { terminal, sender },
    INBOUND: { nuban, sender },
  };
  await server.operate('POST', `/partners/${partner.id}/float`, { amount: 10_000, reference: newReference() });

  await server.operate('POST', '/rails/simulator/compare', { date: '2026-01-31' });

  const reads = Object.entries(await operatorReads(server)).map(([name, path]): [string, MakeGood] => {
    const [pathname = '', asked] = path.split('?');
    return [name, () => ({ url: under(pathname), headers, query: Object.fromEntries(new URLSearchParams(asked)) })];
  });
  return {
    ...Object.fromEntries(reads),
    'GET /operator/v1/applications': list('/applications'),
    'POST /operator/v1/applications/{id}/approve': empty(`/applications/${application}/approve`),
    'POST /operator/v1/applications/{id}/fund': funding(`/applications/${application}/fund`),
    'POST /operator/v1/applications/{id}/settlement': funding(`/applications/${application}/settlement`),
    'POST /operator/v1/keys/rotate': async () => {
      await server.owner.query(
        `update signing_keys.signing_key set created_at = created_at - interval '5 minutes' where status = 'NEXT'`,
      );
      return { url: under('/keys/rotate'), headers, body: { ...REASON, immediately: false } };
    },
    'POST /operator/v1/remittances': async () => {
      await earn(server, 1n);
      const body = { ...REASON, account: 'FEE', amount: 0.01, reference: newReference() };
      return { url: under('/remittances'), headers, body };
    },
    'POST /operator/v1/applications/{id}/secret/rotate': async () => {
      const { applicationId } = await newApplication(server);
      return { url: under(`/applications/${applicationId}/secret/rotate`), headers, body: {} };
    },
    'POST /operator/v1/applications/{id}/webhook/secret/rotate': async () => {
      const { applicationId } = await newApplication(server);
      return { url: under(`/applications/${applicationId}/webhook/secret/rotate`), headers, body: {} };
    },
    'POST /operator/v1/partners': () => ({
      url: under('/partners'),
      headers,
      body: { name: 'Acme Pay', redirectUrl: 'https://acme.example/callback' },
    }),
    'GET /operator/v1/partners': list('/partners'),
    'GET /operator/v1/partners/{id}/day/{date}': list(`/partners/${partner.id}/day/2026-01-31`),
    'PATCH /operator/v1/partners/{id}': (member) => ({
      url: under(`/partners/${partner.id}`),
      headers,
      body: { ...REASON, ...(member === 'name' ? { redirectUrl: 'https://acme.example/back' } : { name: 'Acme Pay' }) },
    }),
    'POST /operator/v1/partners/{id}/keys': async () => {
      return { url: under(`/partners/${(await server.newPartner()).id}/keys`), headers, body: {} };
    },
    'POST /operator/v1/partners/{id}/float': funding(`/partners/${partner.id}/float`),
    'POST /operator/v1/partners/{id}/settlement': funding(`/partners/${partner.id}/settlement`),
    'POST /operator/v1/partners/{id}/webhook/secret/rotate': async () => {
      return { url: under(`/partners/${(await server.newPartner()).id}/webhook/secret/rotate`), headers, body: {} };
    },
    'GET /operator/v1/accounts': () => ({ url: under('/accounts'), headers, query: {} }),
    'GET /operator/v1/transactions': () => ({ url: under('/transactions'), headers, query: { reference: 'r' } }),
    'POST /operator/v1/rails/{provider}/compare': () => ({
      url: under('/rails/simulator/compare'),
      headers,
      body: { date: '2026-01-31' },
    }),
    'GET /operator/v1/rails/{provider}/comparisons': list('/rails/simulator/comparisons'),
    'GET /operator/v1/rails/{provider}/comparisons/{date}': list('/rails/simulator/comparisons/2026-01-31'),
    'GET /operator/v1/disputes': list('/disputes'),
    'POST /operator/v1/disputes': async () => {
      const { partner: owner } = await fundedWallet(server, 5);
      const body = {
        ...REASON,
        partnerId: owner.id,
        transactionReference: 'opening',
        evidence: [{ text: 'a letter' }],
        respondBy: inDays(server, 7),
      };
      return { url: under('/disputes'), headers, body };
    },
    'POST /operator/v1/disputes/{id}/evidence': async () => ({
      url: under(`/disputes/${(await newDispute(server)).id}/evidence`),
      headers,
      body: { text: 'a letter' },
    }),
    'POST /operator/v1/disputes/{id}/decide': async () => ({
      url: under(`/disputes/${(await newDispute(server)).id}/decide`),
      headers,
      body: { ...REASON, outcome: 'LOST' },
    }),
    'GET /operator/v1/inbox': list('/inbox'),
    'POST /operator/v1/inbox/{id}/retry': empty(`/inbox/${message}/retry`),
    'POST /operator/v1/inbox/{id}/credit': async () => ({
      url: under(`/inbox/${await unknownPayment(server)}/credit`),
      headers,
      body: { ...REASON, walletReference: wallet },
    }),
    'GET /operator/v1/payouts': list('/payouts'),
    'GET /operator/v1/reconciliation/imports': list('/reconciliation/imports'),
    'GET /operator/v1/reconciliation/items': list('/reconciliation/items'),
    'POST /operator/v1/reconciliation/items/{id}/resolve': async (member) => {
      const { item } = await newImport(server, 'rent', 'INBOUND');
      const isBooked = member === 'nuban' || member === 'senderName';
      const posted = { type: 'INBOUND', amount: 1, reference: newReference(), ...reports['INBOUND'] };
      const isMatched = member === 'transactionId';
      const transactionId = isMatched
        ? (await server.operate('POST', '/transactions', posted)).json<{ ID: number }>().ID
        : 0;
      const other = isMatched ? { action: 'MATCH', transactionId } : { action: 'POST', account: 'FEE' };
      const body = isBooked ? { action: 'BOOK', nuban } : other;
      return { url: under(`/reconciliation/items/${item}/resolve`), headers, body: { ...REASON, ...body } };
    },
    'POST /operator/v1/reconciliation/imports': (member) => ({
      url: under('/reconciliation/imports'),
      headers,
      body: goodImport(newReference(), member),
    }),
    'POST /operator/v1/payouts/{id}/verify': empty(`/payouts/${payout}/verify`),
    'GET /operator/v1/deliveries': list('/deliveries'),
    'POST /operator/v1/deliveries/{id}/resend': empty(`/deliveries/${delivery}/resend`),
    'POST /operator/v1/deliveries/replay': empty('/deliveries/replay'),
    'POST /operator/v1/receivers/{ownerId}/pause': change(`/receivers/${partner.id}/pause`),
    'POST /operator/v1/receivers/{ownerId}/resume': empty(`/receivers/${partner.id}/resume`),
    'POST /operator/v1/terminals': () => {
      return { url: under('/terminals'), headers, body: { partnerId: partner.id, serialNumber: another('SN-X') } };
    },
    'POST /operator/v1/terminals/{serialNumber}/splits': () => {
      return { url: under(`/terminals/${terminal}/splits`), headers, body: { amount: 5, title: 'Fridge' } };
    },
    'POST /operator/v1/transactions': (_member, kind = '') => ({
      url: under('/transactions'),
      headers,
      body: { type: kind, amount: 1, reference: newReference(), ...reports[kind] },
    }),
    'POST /operator/v1/transactions/{reference}/refund': async () => {
      const reference = newReference();
      await moveMoney(server, partner, wallet, 'credit', { amount: 1, reference });
      const body = { ...REASON, partnerId: partner.id, reference: newReference() };
      return { url: under(`/transactions/${reference}/refund`), headers, body };
    },
    'POST /operator/v1/transactions/{reference}/reverse': async () => {
      const report = { type: 'INBOUND', amount: 1, reference: newReference(), ...reports.INBOUND };
      const { Reference } = (await server.operate('POST', '/transactions', report)).json<{ Reference: string }>();
      return {
        url: under(`/transactions/${Reference}/reverse`),
        headers,
        body: { ...REASON, reference: newReference() },
      };
    },
    'POST /operator/v1/search': () => ({ url: under('/search'), headers, body: { q: customer.paytag } }),
    'POST /operator/v1/customers/find': (member) => ({
      url: under('/customers/find'),
      headers,
      body: member === 'paytag' ? { nuban } : { paytag: customer.paytag },
    }),
    'POST /operator/v1/customers/{id}/reveal': async () => {
      const id = await customerIdOf(server, customer.paytag);
      return { url: under(`/customers/${id}/reveal`), headers, body: { ...REASON } };
    },
    'POST /operator/v1/customers/{id}/erase': async () => {
      const id = await customerIdOf(server, (await newCustomer(server, partner)).paytag);
      return { url: under(`/customers/${id}/erase`), headers, body: { ...REASON } };
    },
    'POST /operator/v1/customers/{id}/correct': async (member) => {
      const id = await customerIdOf(server, customer.paytag);
      const right = member === 'firstName' ? { lastName: 'Obi' } : { firstName: 'Ada' };
      return { url: under(`/customers/${id}/correct`), headers, body: { ...REASON, ...right } };
    },
    'POST /operator/v1/customers/{id}/export': async () => {
      const id = await customerIdOf(server, customer.paytag);
      return { url: under(`/customers/${id}/export`), headers, body: { ...REASON } };
    },
    'POST /operator/v1/customers/{id}/sessions/end': async () => {
      const id = await customerIdOf(server, customer.paytag);
      return { url: under(`/customers/${id}/sessions/end`), headers, body: { ...REASON, partnerId: partner.id } };
    },
    'POST /operator/v1/customers/reveal': async () => {
      const ids = [await customerIdOf(server, customer.paytag)];
      return { url: under('/customers/reveal'), headers, body: { ...REASON, ids } };
    },
    'GET /operator/v1/suspense': list('/suspense'),
    'GET /operator/v1/audit': list('/audit'),
    'GET /operator/v1/remittances': list('/remittances'),
    'GET /operator/v1/seals': list('/seals'),
    'GET /operator/v1/ledger/check': list('/ledger/check'),
    'GET /operator/v1/ledger/trial-balance/{date}': list('/ledger/trial-balance/2026-01-31'),
    'GET /operator/v1/wallets': list('/wallets'),
    'PATCH /operator/v1/wallets/{reference}': (member) => ({
      url: under(`/wallets/${wallet}`),
      headers,
      body: { ...REASON, ...(member === 'tier' ? { status: 'Enabled' } : { tier: 2 }) },
    }),
    'GET /operator/v1/approvals': list('/approvals'),
    'POST /operator/v1/approvals/{id}/approve': async () => {
      const asked = { amount: 2_000_000, reference: newReference() };
      const { id } = (await server.operate('POST', `/partners/${partner.id}/float`, asked)).json<{ id: string }>();
      const { token } = await newOperator(server, 'finance');
      return { url: under(`/approvals/${id}/approve`), headers: { authorization: `Bearer ${token}` }, body: {} };
    },
    'GET /operator/v1/operators': list('/operators'),
    'POST /operator/v1/operators': () => {
      return { url: under('/operators'), headers, body: { name: another('Ngozi '), role: 'viewer' } };
    },
    'POST /operator/v1/operators/{id}/rotate': async () => {
      return { url: under(`/operators/${(await newOperator(server, 'viewer')).id}/rotate`), headers, body: {} };
    },
    'POST /operator/v1/wallets/{reference}/liens': () => {
      return { url: under(`/wallets/${wallet}/liens`), headers, body: { ...REASON, amount: 0.01 } };
    },
  };
};
