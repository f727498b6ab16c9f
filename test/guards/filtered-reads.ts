import { payTagApplicationId } from '#modules/clients';
import type { TestApp } from '../support/app.ts';
import { askForClaim, newEnds, newLink } from '../support/claims.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { offer } from '../support/switch.ts';
import { newSubject } from '../support/tags.ts';
import { newSplit, newTerminal } from '../support/terminals.ts';
import { kycWallet, loggedIn, moveMoney, newReference } from '../support/wallets.ts';

/** Reads by what callers filter lists by, and of one thing each; of a new partner, its customer and two applications. */
export async function filteredReads(server: TestApp): Promise<{ url: string; headers: Record<string, string> }[]> {
  const partner = await server.newPartner({ float: 10_000, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const { headers } = partner;
  const wallet = await kycWallet(server, partner);
  const customer = await loggedIn(server, partner, 100);
  const serial = await newTerminal(server, partner);
  const split = await newSplit(server, serial, 10);
  const reference = newReference();
  await moveMoney(server, partner, wallet, 'credit', { amount: 10, reference });
  const delivered = await server.call('GET', '/v2/partner/webhook/deliveries', { headers });
  const delivery = delivered.json<{ items: { id: string }[] }>().items[0]?.id;
  const shown = await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers });
  const { Nuban } = shown.json<{ Wallet: { Nuban: string } }>().Wallet;

  const ends = await newEnds(server);
  const { primary, secondary } = ends;
  await newLink(server, ends);
  await askForClaim(server, primary, secondary.tag, { subjectId: await newSubject(server, primary) });
  const { id } = await offer(server, { ...primary, name: 'Acme' }, { ...secondary, name: 'Market' });

  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const all = (given: Record<string, string>, base: string, paths: readonly string[]) =>
    paths.map((path) => ({ url: base + path, headers: given }));
  const page = 'limit=20&offset=20';
  return [
    ...all(headers, '/v2/partner', [
      '/float',
      `/wallet?${page}`,
      `/wallet/${wallet}`,
      `/wallet/${wallet}/history?${page}`,
      `/transaction/${reference}`,
      `/dispute?${page}`,
      '/dispute?state=OPEN',
      '/webhook',
      '/webhook/deliveries?event=wallet.credited',
      '/webhook/deliveries?status=FAILED',
      '/webhook/deliveries?status=DELIVERED&event=wallet.debited',
      `/webhook/deliveries?${page}`,
      `/webhook/deliveries/${delivery}`,
    ]),
    ...all({ ...headers, 'x-terminal': serial }, '/v2/partner/terminal', [`/splits?${page}`, `/split/${split}`]),
    ...all(customer.headers, '/v2/sso', ['/wallet', '/wallet/limit', '/qr', '/consent']),
    ...all(secondary.headers, '/api/v1', [
      `/tags/${secondary.tag}`,
      `/tags/${secondary.tag}/claims`,
      `/tags/${primary.tag}/federation`,
      `/transactions/${id}`,
      '/transactions/pending?page=1&size=20',
      '/transactions/pending?sort=amount,desc',
    ]),
    ...all(operator, '/operator/v1', [
      `/deliveries?partnerId=${partner.id}`,
      `/deliveries?applicationId=${secondary.applicationId}`,
      `/deliveries?status=FAILED`,
      `/deliveries?status=PENDING`,
      `/deliveries?waiting=DUE`,
      `/deliveries?waiting=HELD`,
      `/deliveries?waiting=HELD&partnerId=${partner.id}`,
      `/deliveries?event=wallet.credited&${page}`,
      `/deliveries/${delivery}`,
      `/receivers/${partner.id}`,
      `/partners/${partner.id}`,
      `/applications/${primary.applicationId}`,
      `/tags/${customer.paytag}`,
      `/wallets?partnerId=${partner.id}&${page}`,
      `/wallets?nuban=${Nuban}`,
      `/wallets?paytag=${customer.paytag}`,
      `/wallets/${wallet}`,
      `/transactions?reference=${reference}`,
      `/transactions?reference=${reference}&partnerId=${partner.id}`,
      ...[
        '',
        `partnerId=${partner.id}`,
        `partnerId=${ends.secondary.applicationId}`,
        `applicationId=${ends.secondary.applicationId}`,
        'status=Failed',
        `status=Failed&partnerId=${partner.id}`,
        'status=Pending',
        'status=Reversed',
        `wallet=${wallet}`,
        `wallet=${wallet}&status=Failed`,
        `wallet=${wallet}&status=Pending`,
        `wallet=${wallet}&status=Reversed&from=2026-01-01T00:00:00Z`,
        'status=Failed&failureReason=WALLET_PND',
        'externalReference=none&type=TRANSFER',
        'type=TRANSFER',
        'namer=OPERATOR&currency=FP',
        'amountFrom=5000&amountTo=6000.50',
        'externalReference=none',
        'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
        `from=2026-01-01T00:00:00Z&partnerId=${partner.id}`,
        page,
        'format=csv&limit=300',
      ].map((query) => `/transactions?${query}`),
      `/terminals?partnerId=${partner.id}&${page}`,
      `/terminals/${serial}`,
      `/splits?terminal=${serial}`,
      `/splits?partnerId=${partner.id}&status=Expired`,
      '/splits?reference=large-1',
      '/splits?amountFrom=1&amountTo=2&format=csv&limit=200',
      `/tags?createdByAppId=${primary.applicationId}`,
      `/tags?createdByAppId=${payTagApplicationId}&status=SUSPENDED`,
      `/claims?applicationId=${primary.applicationId}`,
      `/claims?tag=${secondary.tag}&state=PENDING`,
      '/claims?state=REVOKED',
      `/federations?applicationId=${secondary.applicationId}`,
      `/federations?tag=${secondary.tag}&status=PENDING`,
      '/customers?status=FROZEN',
      '/customers?status=ACTIVE&from=2026-01-01T00:00:00Z',
      `/disputes?partnerId=${partner.id}`,
      '/disputes?transactionId=1',
      `/sessions?partnerId=${partner.id}&status=LIVE`,
      `/sessions?customerId=${partner.id}&partnerId=${partner.id}`,
      '/sessions?status=REVOKED',
      '/receivers?status=PAUSED&breaker=CLOSED',
      '/receivers?ownerKind=PARTNER&breaker=OPEN',
      '/receivers?failing=true',
      '/receivers?waiting=true',
      `/receivers?partnerId=${partner.id}`,
      '/disputes?state=OPEN&dueBefore=2026-01-01T00:00:00Z',
      '/reconciliation/items?status=THEIRS_ALONE',
      '/inbox?state=DIFFERENT',
      '/approvals?status=PENDING',
      '/applications?status=PENDING',
      `/throttles?about=${partner.id}`,
      '/disputes?state=EXPIRED',
      '/disputes?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
      `/wallets/${wallet}/history?type=TRANSFER&amountFrom=1&from=2026-01-01T00:00:00Z`,
      `/wallets/${wallet}/history?format=csv`,
      `/transactions/${reference}`,
      `/suspense?partnerId=${partner.id}`,
      '/suspense?type=INBOUND&currency=NGN&amountFrom=1&amountTo=2&from=2026-01-01T00:00:00Z&to=2099-01-01T00:00:00Z',
      '/suspense?format=csv',
      '/wallets?status=PND&amountFrom=1&amountTo=2',
      '/wallets?currency=FP&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
      '/wallets?format=csv&limit=20',
      `/audit?target=${partner.id}`,
      `/audit?actor=operator:root&action=partner.create`,
      `/audit?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z`,
    ]),
  ];
}
