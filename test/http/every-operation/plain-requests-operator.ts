import { newApplication } from '../../support/application.ts';
import { newImport } from '../../support/bank-files.ts';
import { customerWithId } from '../../support/customers.ts';
import { partnerWithEvents } from '../../support/deliveries.ts';
import { newDispute } from '../../support/disputes.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { newOperator } from '../../support/operators.ts';
import { newReference } from '../../support/payments.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { another, newTag } from '../../support/tags.ts';
import { operatorChanges } from '../operator-changes.ts';
import type { GoodRequestsOf, MakeGood } from './good-requests.ts';
import { operatorReads } from './operator-reads.ts';

const under = (path: string) => `/operator/v1${path}`;

/** Of the operator API, by an admin: all that changes something, and reads that take nothing but what stands in their path. */
export const plainRequestsOfOperator: GoodRequestsOf = async (server) => {
  const admin = await newOperator(server, 'admin');
  const headers = { authorization: `Bearer ${admin.token}` };
  const { partner, wallet } = await partnerWithEvents(server);
  const { id: customer } = await customerWithId(server, partner);
  const application = await newApplication(server);
  const { id: payout } = await unknownPayout(server);
  const { id: imported } = await newImport(server);
  const { id: dispute } = await newDispute(server);
  const { items } = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json<{
    items: { id: string }[];
  }>();
  /** A request of root for more than may be moved without approval. */
  const asked = async (): Promise<string> => {
    const body = { amount: 2_000_000, reference: newReference() };
    return (await server.operate('POST', `/partners/${partner.id}/float`, body)).json<{ id: string }>().id;
  };
  const approval = await asked();
  await server.operate('POST', '/rails/simulator/compare', { date: '2026-01-30' });

  const reads = {
    ...(await operatorReads(server)),
    'GET /operator/v1/tags/{tag}': `/tags/${await newTag(server, application)}`,
    'GET /operator/v1/applications/{id}': `/applications/${application.applicationId}`,
    'GET /operator/v1/partners/{id}': `/partners/${partner.id}`,
    'GET /operator/v1/partners/{id}/day/{date}': `/partners/${partner.id}/day/2026-01-31`,
    'GET /operator/v1/deliveries/{id}': `/deliveries/${items[0]?.id}`,
    'GET /operator/v1/disputes': '/disputes',
    'GET /operator/v1/disputes/{id}': `/disputes/${dispute}`,
    'GET /operator/v1/inbox/{id}': `/inbox/${await unknownPayment(server)}`,
    'GET /operator/v1/inbox': '/inbox',
    'GET /operator/v1/rails': '/rails',
    'GET /operator/v1/rails/{provider}/comparisons': '/rails/simulator/comparisons',
    'GET /operator/v1/rails/{provider}/comparisons/{date}': '/rails/simulator/comparisons/2026-01-30',
    'GET /operator/v1/payouts/{id}': `/payouts/${payout}`,
    'GET /operator/v1/payouts': '/payouts',
    'GET /operator/v1/reconciliation/imports': '/reconciliation/imports',
    'GET /operator/v1/reconciliation/imports/{id}': `/reconciliation/imports/${imported}`,
    'GET /operator/v1/reconciliation/items': '/reconciliation/items',
    'GET /operator/v1/receivers/{ownerId}': `/receivers/${partner.id}`,
    'GET /operator/v1/wallets/{reference}': `/wallets/${wallet}`,
    'GET /operator/v1/accounts': '/accounts',
    'GET /operator/v1/settings': '/settings',
    'GET /operator/v1/keys': '/keys',
    'GET /operator/v1/customers/{id}': `/customers/${customer}`,
    'GET /operator/v1/approvals/{id}': `/approvals/${approval}`,
    'GET /operator/v1/operators/me': '/operators/me',
    'GET /operator/v1/applications': '/applications',
    'GET /operator/v1/partners': '/partners',
    'GET /operator/v1/transactions': `/transactions?reference=credit`,
    'GET /operator/v1/deliveries': '/deliveries',
    'GET /operator/v1/suspense': '/suspense',
    'GET /operator/v1/audit': '/audit',
    'GET /operator/v1/remittances': '/remittances',
    'GET /operator/v1/requests/{requestId}': '/requests/of-nobody',
    'GET /operator/v1/seals': '/seals',
    'GET /operator/v1/ledger/check': '/ledger/check',
    'GET /operator/v1/ledger/trial-balance/{date}': '/ledger/trial-balance/2026-01-31',
    'GET /operator/v1/wallets': '/wallets',
    'GET /operator/v1/approvals': '/approvals',
    'GET /operator/v1/operators': '/operators',
  };
  const plain = Object.entries(reads).map(([name, path]): [string, MakeGood] => [
    name,
    () => ({ url: under(path), headers }),
  ]);
  const changes = Object.entries(operatorChanges).map(([name, make]): [string, MakeGood] => [
    name.replace(' ', ' /operator/v1'),
    async () => {
      const { url, body } = await make(server, another('change-'));
      return { url: under(url), headers, body: body as Record<string, unknown> };
    },
  ]);
  return {
    ...Object.fromEntries([...plain, ...changes]),
    'POST /operator/v1/approvals/{id}/approve': async () => {
      return { url: under(`/approvals/${await asked()}/approve`), headers, body: {} };
    },
    'POST /operator/v1/approvals/{id}/reject': async () => {
      return { url: under(`/approvals/${await asked()}/reject`), headers, body: { reason: 'a test asks for it' } };
    },
  };
};
