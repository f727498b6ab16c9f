import { beforeAll, expect, it } from 'vitest';
import { approvedClaim, verifiedLink } from '../http/sso/consents.ts';
import { type Answer, useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { newImport } from '../support/bank-files.ts';
import { askForClaim, federate } from '../support/claims.ts';
import { consoleSession } from '../support/customers.ts';
import { documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { newDispute, openDispute } from '../support/disputes.ts';
import { unknownPayment } from '../support/inbound.ts';
import { newOperator } from '../support/operators.ts';
import { unknownPayout } from '../support/payouts.ts';
import { type Counted, countedIn, useCounting } from '../support/plans.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';
import { newSide, offer } from '../support/switch.ts';
import { newSubject, newTag } from '../support/tags.ts';
import { newSplit, newTerminal } from '../support/terminals.ts';
import { throttledLogin } from '../support/throttled.ts';
import { earn, loggedIn, moveMoney, newReference, pay, waitingPayment } from '../support/wallets.ts';

useCounting();
const server = useApp({ APPROVAL_ABOVE: '1000', RATE_LIMIT_CALLS_PER_S: '1000' });
/** Of each there are this many at least. */
const MADE = 3;
/** In a page. Behind it is another thing, so that a page of one is read in the same way. */
const SEVERAL = MADE - 1;

interface List {
  /** Where it has one thing in it, and where several. */
  one: string;
  several: string;
  headers: Record<string, string>;
}
const lists: Record<string, List> = {};

/** A list of which a page can be asked for. */
const paged = (operation: string, headers: Record<string, string>, url = operation.split(' ')[1] ?? ''): void => {
  const size = operation.includes('/pending') ? 'size' : 'limit';
  const mark = url.includes('?') ? '&' : '?';
  const page = (items: number) => `${url}${mark}${size}=${items}`;
  lists[operation] = { one: page(1), several: page(SEVERAL), headers };
};
const times = async (make: (number: number) => Promise<unknown>): Promise<void> => {
  for (let number = 1; number <= MADE; number += 1) await make(number);
};

async function partnersLists(): Promise<void> {
  const partner = await server.newPartner({ float: 100, webhookUrl: 'http://127.0.0.1:9/hooks' });
  const [ada, shop] = [await loggedIn(server, partner, 50), await newApplication(server, 'Shop')];
  const terminal = await newTerminal(server, partner);
  await times(async () => {
    await waitingPayment(server, await server.newPartner());
    const { paytag } = await loggedIn(server, partner);
    await pay(server, ada, { paytag, amount: 1, reference: newReference() });
    await newSplit(server, terminal, 10);
    await approvedClaim(server, shop, ada);
    await verifiedLink(server, ada);
    const asked = { amount: 5000, reference: newReference() };
    await server.operate('POST', `/partners/${partner.id}/float`, asked);
  });
  await times(async (number) => {
    const reference = `disputed-${number}`;
    await moveMoney(server, partner, ada.wallet, 'credit', { amount: 1, reference });
    await openDispute(server, partner.id, { transactionReference: reference });
  });
  paged('GET /v2/partner/dispute', partner.headers);
  paged('GET /v2/partner/wallet', partner.headers);
  await times(() => server.operate('POST', `/wallets/${ada.wallet}/liens`, { amount: 0.01, reason: 'debt' }));
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  for (const what of ['history', 'liens']) {
    paged(`GET /operator/v1/wallets/{reference}/${what}`, operator, `/operator/v1/wallets/${ada.wallet}/${what}`);
  }
  paged('GET /v2/partner/terminal/splits', { ...partner.headers, 'x-terminal': terminal });
  paged('GET /v2/partner/wallet/{reference}/history', partner.headers, `/v2/partner/wallet/${ada.wallet}/history`);
  paged('GET /v2/partner/webhook/deliveries', partner.headers);
  for (const what of ['beneficiary', 'consent', 'transaction']) paged(`GET /v2/sso/${what}`, ada.headers);
}

async function applicationsLists(): Promise<void> {
  const [acme, market] = [await newSide(server, 'Acme'), await newSide(server, 'Market')];
  const { headers } = acme;
  const other = { tag: await newTag(server, acme), claimed: await newTag(server, market) };
  const claim = async (tag: string) => askForClaim(server, acme, tag, { subjectId: await newSubject(server, acme) });
  const link = async (tag: string) => {
    const secondaryTag = await newTag(server, market);
    return federate(server, acme, tag, { secondaryTag, verificationMethod: 'CONSENT' });
  };
  await times(async () => {
    await offer(server, market, acme);
    await claim(market.tag);
    await link(acme.tag);
  });
  await claim(other.claimed);
  await link(other.tag);
  paged('GET /api/v1/transactions/pending', headers);
  const on = (tag: string, what: string) => `/api/v1/tags/${tag}/${what}`;
  lists['GET /api/v1/tags/{tag}/claims'] = {
    one: on(other.claimed, 'claims'),
    several: on(market.tag, 'claims'),
    headers,
  };
  lists['GET /api/v1/tags/{tag}/federation'] = {
    one: on(other.tag, 'federation'),
    several: on(acme.tag, 'federation'),
    headers,
  };
}

async function operatorsLists(): Promise<void> {
  const { token } = await newOperator(server, 'admin');
  await times(() => newOperator(server, 'viewer'));
  await times(() => unknownPayout(server));
  await times(() => unknownPayment(server));
  await times(() => newDispute(server));
  await times(async () => newTerminal(server, await server.newPartner()));
  await times(async (number) => {
    await earn(server, 1n);
    const remittance = { account: 'FEE', amount: 0.01, reference: `remitted-${number}`, reason: 'March' };
    return server.operate('POST', '/remittances', remittance);
  });
  await times(() => newImport(server));
  await times(() => throttledLogin(server));
  await times(async () => consoleSession(server, await newOperator(server, 'viewer')));
  const headers = { authorization: `Bearer ${token}` };
  const each = [
    'applications',
    'approvals',
    'audit',
    'claims',
    'customers',
    'deliveries',
    'disputes',
    'federations',
    'inbox',
    'operators',
    'operators/sessions',
    'partners',
    'payouts',
    'remittances',
    'reconciliation/imports',
    'reconciliation/items',
    'receivers',
    'sessions',
    'splits',
    'suspense',
    'tags',
    'terminals',
    'throttles',
    'transactions',
    'wallets',
  ];
  for (const what of each) paged(`GET /operator/v1/${what}`, headers);
  await times((day) => server.operate('POST', '/rails/simulator/compare', { date: `2026-01-0${day}` }));
  const compared = '/operator/v1/rails/simulator/comparisons';
  paged('GET /operator/v1/rails/{provider}/comparisons', headers, compared);
}

const documented: string[] = [];
beforeAll(async () => {
  await partnersLists();
  await applicationsLists();
  await operatorsLists();
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  const isPaged = ({ name }: { name: string }) => ['limit', 'size'].includes(name);
  const all = documents.flatMap(operationsOf).filter(({ operation }) => operation.parameters?.some(isPaged));
  documented.push(...all.map(({ method, path }) => `${method} ${path}`));
});

const itemsOf = (answer: Answer): unknown[] => {
  const body = answer.json();
  return body.items ?? body.data.content ?? body.data.links ?? body.data;
};

async function taken(url: string, headers: Record<string, string>): Promise<Counted & { result: Answer }> {
  await server.call('GET', url, { headers }); // what is read once a second is read by this call
  const [first, second] = [await counted(url, headers), await counted(url, headers)];
  return first.statements.length < second.statements.length ? first : second; // or by one of these, when the second ends
}
const counted = (url: string, headers: Record<string, string>) => countedIn(() => server.call('GET', url, { headers }));

it('a list takes as many statements for several things as for one', async () => {
  // There is one seal or none here, and seals are one read of one table, as are the holds of a wallet, which has none here.
  const without = ['GET /operator/v1/seals', 'GET /operator/v1/wallets/{reference}/holds'];
  expect(documented.filter((operation) => !(operation in lists) && !without.includes(operation))).toEqual([]);
  for (const [operation, { one, several, headers }] of Object.entries(lists)) {
    const few = await taken(one, headers);
    const many = await taken(several, headers);
    expect([operation, itemsOf(few.result).length]).toEqual([operation, 1]);
    expect([operation, itemsOf(many.result).length >= SEVERAL]).toEqual([operation, true]);
    expect([operation, many.statements.length]).toEqual([operation, few.statements.length]);
  }
});
