import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type TestApp, useApp } from '../../support/app.ts';
import { newImport } from '../../support/bank-files.ts';
import { actOn, customerIdOf, customerWithId, findCustomers } from '../../support/customers.ts';
import { endAll } from '../../support/deliveries.ts';
import { operationsOf, readDocument } from '../../support/described.ts';
import { newDispute } from '../../support/disputes.ts';
import { unknownPayment } from '../../support/inbound.ts';
import { newCustomer, newPerson, PASSWORD } from '../../support/onboarding.ts';
import { askedFunding, newOperator, operateAs, type TestOperator } from '../../support/operators.ts';
import { unknownPayout } from '../../support/payouts.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';
import { newTerminal } from '../../support/terminals.ts';
import { changeWallet, loggedIn, logInAt, moveMoney, newReference } from '../../support/wallets.ts';

const server = useApp({ APPROVAL_ABOVE: '1000' });
const PREFIX = '/operator/v1';

/** What is known of people, by what it is; and where each described GET shows some of it. */
const known: Record<string, string> = {};
const urls: Record<string, string> = {};
let onlooker: TestOperator;
let supporter: TestOperator;

beforeAll(async () => {
  [onlooker, supporter] = [await newOperator(server, 'viewer'), await newOperator(server, 'support')];
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
  const { nuban } = (await supporter.operate('GET', `/wallets/${wallet}`)).json<{ nuban: string }>();
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
      const answer = await onlooker.operate('GET', url);
      expect([path, answer.statusCode]).toEqual([
        path,
        path === '/operators' || path === '/operators/sessions' ? 403 : 200,
      ]); // for admins alone
      shown[path] = shownIn(answer.body);
      for (const what of shownIn((await supporter.operate('GET', url)).body)) inClear.add(what);
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
    const found = await onlooker.operate('POST', '/customers/find', { bvn: known['bvn'] });
    expect(found.json()).toMatchObject({ items: [{ name: 'A*** O***', bvn: expect.stringMatching(/^\*{7}\d{4}$/) }] });
    expect(shownIn(found.body)).toEqual([]);
    expect((await findCustomers(server, { bvn: known['bvn'] })).body).toContain('Adaugozim Obiechina');
  });
});

it('V14.2.6: what is masked can still be told apart: initials, and the last digits', async () => {
  const { items } = (await onlooker.operate('GET', `/wallets?nuban=${known['nuban']}`)).json();
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

const env = { RATE_LIMIT_REVEALS_PER_H: '6', RATE_LIMIT_FINDS_PER_H: '8' };
const bounded = useApp(env);
/** Another process of the same installation. */
const beside = useApp(env, bounded);
/** The same installation, as in a sandbox. */
const unbounded = useApp({}, bounded);
const HOUR_MS = 3_600_000;
const reason = 'ticket 812';

const at = (process: TestApp, { token }: TestOperator) => operateAs(process, token);
const countOf = (answers: Answer[], status: number) => answers.filter(({ statusCode }) => statusCode === status).length;

it('V2.4.1: an operator is shown so many customers in an hour, by reveals and exports in all processes together', async () => {
  const { id } = await customerWithId(unbounded, await bounded.newPartner());
  const [support, other] = [await newOperator(bounded, 'support'), await newOperator(bounded, 'support')];
  const asked = await Promise.all(
    [bounded, beside, bounded, beside, bounded, beside].flatMap((process) =>
      ['reveal', 'export'].map((what) => at(process, support)('POST', `/customers/${id}/${what}`, { reason })),
    ),
  );
  expect([countOf(asked, 200), countOf(asked, 429)]).toEqual([6, 6]);
  for (const refused of asked.filter(({ statusCode }) => statusCode === 429)) {
    expect(refusalOf(refused)).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(refused.headers['retry-after'])).toBeCloseTo(3600, -2);
  }
  expect((await other.operate('POST', `/customers/${id}/reveal`, { reason })).statusCode).toBe(200);
  bounded.clock.advance(HOUR_MS);
  expect((await support.operate('POST', `/customers/${id}/reveal`, { reason })).statusCode).toBe(200);
});

it('V2.4.1: whoever tries ids is stopped as well, root too', async () => {
  bounded.clock.advance(HOUR_MS);
  const answers = [];
  for (let turn = 0; turn < 7; turn++) {
    answers.push((await bounded.operate('POST', `/customers/${NOBODY}/reveal`, { reason })).statusCode);
  }
  expect(answers).toEqual([...Array<number>(6).fill(404), 429]);
});

it('V2.4.1: an operator looks for so many customers in an hour, and masked digits are not found out by trying', async () => {
  const viewer = await newOperator(bounded, 'viewer');
  const tries = Array.from({ length: 12 }, (_, index) => ({ bvn: String(22_222_222_200 + index) }));
  const answers = await Promise.all(
    tries.map((by, index) => at(index % 2 === 0 ? bounded : beside, viewer)('POST', '/customers/find', by)),
  );
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([8, 4]);
  const refused = answers.find(({ statusCode }) => statusCode === 429);
  expect(Number(refused?.headers['retry-after'])).toBeCloseTo(3600, -2);
});

it('V16.3.3: a reveal and an export are events that name operator and customer, and nothing of what was shown', async () => {
  const { id, person } = await customerWithId(unbounded, await bounded.newPartner());
  const support = await newOperator(bounded, 'support');
  const before = bounded.logged.length;
  for (const what of ['reveal', 'export']) await support.operate('POST', `/customers/${id}/${what}`, { reason });
  const logged = bounded.logged.slice(before);
  const events = logged
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ msg, event }) => msg === 'security event' && event !== 'credential_used_from_new_address');
  const about = { customerId: id, principal: `operator:${support.id}`, level: 30 };
  expect(events).toEqual([
    expect.objectContaining({ event: 'customer_revealed', ...about }),
    expect.objectContaining({ event: 'customer_exported', ...about }),
  ]);
  for (const shown of [person.bvn, person.phone, person.email, reason]) expect(logged).not.toContain(shown);
});

/** What an export must not hold of anything: digests, hashes, sealed bytes and secrets. */
const FORBIDDEN = /digest|hash|sealed|secret|token"|otp|index"|\$argon2|"type":"Buffer"/i;

it('V14.2.4: an export has no secret, nothing a secret is recognised by, and nobody else', async () => {
  const partner = await server.newPartner({ float: 50 });
  const ada = await loggedIn(server, partner, 20);
  const bola = await loggedIn(server, partner, 20);
  await findCustomers(server, { phone: ada.phone });
  const text = (await actOn(server, await customerIdOf(server, ada.paytag), 'export')).body;
  const secrets = [PASSWORD, ada.headers['authorization'] ?? '', partner.apiKey, partner.clientId];
  for (const hidden of [...secrets, bola.bvn, bola.phone, bola.wallet]) expect(text).not.toContain(hidden);
  expect(FORBIDDEN.exec(text.replaceAll('tokenIssuedAt', ''))).toBeNull();
  for (const value of [ada.bvn, ada.email, ada.dateOfBirth]) expect(server.logged).not.toContain(value);
});
