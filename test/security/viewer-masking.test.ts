import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { askedFunding } from '../support/approvals.ts';
import { newImport } from '../support/bank-files.ts';
import { customerIdOf, findCustomers } from '../support/customers.ts';
import { endAll } from '../support/deliveries.ts';
import { operationsOf, readDocument } from '../support/described.ts';
import { newDispute } from '../support/disputes.ts';
import { unknownPayment } from '../support/inbound.ts';
import { newCustomer, newPerson } from '../support/onboarding.ts';
import { newOperator, type TestOperator } from '../support/operators.ts';
import { newReference } from '../support/payments.ts';
import { unknownPayout } from '../support/payouts.ts';
import { newTerminal } from '../support/terminals.ts';
import { changeWallet, logInAt, moveMoney } from '../support/wallets.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });
const PREFIX = '/operator/v1';

/** What is known of people, by what it is; and where each described GET shows some of it. */
const known: Record<string, string> = {};
const urls: Record<string, string> = {};
let viewer: TestOperator;
let support: TestOperator;

beforeAll(async () => {
  [viewer, support] = [await newOperator(server, 'viewer'), await newOperator(server, 'support')];
  const ada = { ...newPerson(), firstName: 'Adaugozim', lastName: 'Obiechina' };
  const texts = {
    comment: 'rent of Chukwuemeka',
    metadata: 'Folashade Akinwande',
    sender: 'Oluwaseun Adebayo',
    response: 'thanks, Yetunde',
    evidence: 'a letter of Omolara Bankole',
    narration: 'NIP from Babatunde Fashola',
  };
  const contacts = {
    applicationEmail: 'grace@umeh.example',
    reasonPhone: '08037654321',
    reasonEmail: 'ike@umeh.example',
  };
  const reason = `asked by ${contacts.reasonPhone}, ${contacts.reasonEmail}`;

  const partner = await server.newPartner({ float: 500, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const { wallet } = await logInAt(server, partner, await newCustomer(server, partner, ada));
  const { nuban } = (await support.operate('GET', `/wallets/${wallet}`)).json<{ nuban: string }>();
  const reference = newReference();
  const credit = { amount: 5, reference, comment: texts.comment, metadata: { payer: { name: texts.metadata } } };
  await moveMoney(server, partner, wallet, 'credit', credit);
  await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 1, reason });
  await changeWallet(server, wallet, { status: 'PNC', reason });
  const sender = { name: texts.sender };
  const inbound = { type: 'INBOUND', nuban, amount: 3, reference: newReference(), sender, comment: texts.comment };
  await server.operate('POST', '/transactions', { ...inbound, reason });
  await endAll(server.resources.pool, 'status 503');
  await server.owner.query('update webhooks.delivery set last_response = $1', [texts.response]);
  await server.operate('POST', `/receivers/${partner.id}/pause`, { reason });
  const terminal = await newTerminal(server, partner, {
    email: 'shop@umeh.example',
    phoneNumber: '+2348035550199',
    merchant: 'Umeh Stores',
  });
  const payload = { applicationName: 'Umeh', email: contacts.applicationEmail };
  const made = await server.call('POST', '/api/v1/applications', { payload });
  const { applicationId: application, client_id: applicationClient } = made.json<{
    data: { applicationId: string; client_id: string };
  }>().data;
  const asked = await askedFunding(server, server);
  const rejects = await newOperator(server, 'finance');
  const rejected = await rejects.operate('POST', `/approvals/${asked.id}/reject`, { reason });
  const customer = await customerIdOf(server, ada.paytag);
  const { items } = (await server.operate('GET', `/deliveries?partnerId=${partner.id}`)).json();

  const { id: payout } = await unknownPayout(server);
  const message = await unknownPayment(server);
  const { id: dispute } = await newDispute(server, { reason, evidence: [{ text: texts.evidence }] });
  await server.operate('POST', '/rails/simulator/compare', { date: '2026-01-31' });
  const { id: imported } = await newImport(server, texts.narration);

  const { firstName, lastName, phone, email, bvn } = ada;
  Object.assign(known, { firstName, lastName, phone, email, bvn, nuban, ...texts, ...contacts });
  Object.assign(known, { applicationClient, partnerClient: partner.headers['x-client-id'] });
  for (const list of 'accounts applications approvals audit claims customers deliveries disputes federations inbox keys ledger/check operators operators/me operators/sessions overview partners payouts receivers reconciliation/imports reconciliation/items remittances seals sessions settings splits suspense tags terminals throttles wallets'.split(
    ' ',
  )) {
    urls[`/${list}`] = `/${list}`;
  }
  Object.assign(urls, {
    '/applications/{id}': `/applications/${application}`,
    '/approvals/{id}': `/approvals/${asked.id}`,
    '/customers/{id}': `/customers/${customer}`,
    '/deliveries/{id}': `/deliveries/${items[0].id}`,
    '/disputes/{id}': `/disputes/${dispute}`,
    '/inbox/{id}': `/inbox/${message}`,
    '/payouts/{id}': `/payouts/${payout}`,
    '/rails': '/rails',
    '/rails/{provider}/comparisons': '/rails/simulator/comparisons',
    '/rails/{provider}/comparisons/{date}': '/rails/simulator/comparisons/2026-01-31',
    '/ledger/trial-balance/{date}': '/ledger/trial-balance/2026-01-31',
    '/reconciliation/imports/{id}': `/reconciliation/imports/${imported}`,
    '/partners/{id}': `/partners/${partner.id}`,
    '/partners/{id}/day/{date}': `/partners/${partner.id}/day/2026-01-31`,
    '/receivers/{ownerId}': `/receivers/${partner.id}`,
    '/requests/{requestId}': `/requests/${String(rejected.headers['x-request-id'])}`,
    '/tags/{tag}': `/tags/${ada.paytag}`,
    '/terminals/{serialNumber}': `/terminals/${terminal}`,
    '/transactions': `/transactions?reference=${reference}&partnerId=${partner.id}`,
    '/transactions/{reference}': `/transactions/${reference}?partnerId=${partner.id}`,
    '/wallets/{reference}': `/wallets/${wallet}`,
    '/wallets/{reference}/history': `/wallets/${wallet}/history`,
    '/wallets/{reference}/holds': `/wallets/${wallet}/holds`,
    '/wallets/{reference}/liens': `/wallets/${wallet}/liens`,
  });
});

const shownIn = (body: string): string[] => Object.keys(known).filter((what) => body.includes(known[what] as string));

it('each described GET is asked', async () => {
  const described = operationsOf(await readDocument(server, `${PREFIX}/openapi.json`));
  const reads = described.filter(({ method }) => method === 'GET').map(({ path }) => path.slice(PREFIX.length));
  expect(Object.keys(urls).toSorted()).toEqual(reads.toSorted());
});

describe('V8.2.3: to a viewer no answer says who somebody is', () => {
  it('whatever is read', async () => {
    const shown: Record<string, string[]> = {};
    const inClear = new Set<string>();
    for (const [path, url] of Object.entries(urls)) {
      const answer = await viewer.operate('GET', url);
      expect([path, answer.statusCode]).toEqual([
        path,
        path === '/operators' || path === '/operators/sessions' ? 403 : 200,
      ]); // for admins alone
      shown[path] = shownIn(answer.body);
      for (const what of shownIn((await support.operate('GET', url)).body)) inClear.add(what);
    }
    expect(Object.entries(shown).filter(([, what]) => what.length > 0)).toEqual([]);
    // The world is one in which there is something to mask; what nobody reads in the clear is masked to all.
    const masked = ['phone', 'email', 'bvn', 'applicationClient', 'partnerClient'];
    expect([...inClear].toSorted()).toEqual(
      Object.keys(known)
        .filter((what) => !masked.includes(what))
        .toSorted(),
    );
  });

  it('whoever is found', async () => {
    const found = await viewer.operate('POST', '/customers/find', { bvn: known['bvn'] });
    expect(found.json()).toMatchObject({ items: [{ name: 'A*** O***', bvn: expect.stringMatching(/^\*{7}\d{4}$/) }] });
    expect(shownIn(found.body)).toEqual([]);
    expect((await findCustomers(server, { bvn: known['bvn'] })).body).toContain('Adaugozim Obiechina');
  });
});

it('V14.2.6: what is masked can still be told apart: initials, and the last digits', async () => {
  const { items } = (await viewer.operate('GET', `/wallets?nuban=${known['nuban']}`)).json();
  expect(items).toMatchObject([{ name: 'A*** O***', nuban: `******${known['nuban']?.slice(-4)}` }]);
});

it('V14.2.6: a client id, which signs, is shown by its last four characters below finance', async () => {
  const shown: Record<string, string[]> = {};
  for (const role of ['viewer', 'support', 'finance', 'admin'] as const) {
    const { operate } = await newOperator(server, role);
    const paths = ['/applications/{id}', '/partners/{id}'];
    const answers = await Promise.all(paths.map((path) => operate('GET', urls[path] ?? '')));
    const ids = answers.flatMap(({ body }) => [...body.matchAll(/"clientId":"([^"]+)"/g)].map(([, id = '']) => id));
    shown[role] = ids;
  }
  const inClear = [known['applicationClient'] ?? '', known['partnerClient'] ?? ''];
  const masked = inClear.map((id) => `${'*'.repeat(id.length - 4)}${id.slice(-4)}`);
  expect(shown).toEqual({ viewer: masked, support: masked, finance: inClear, admin: inClear });
});
