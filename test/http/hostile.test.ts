import { beforeAll, describe, expect, it } from 'vitest';
import { errorStatus } from '#http/error-status.ts';
import { useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { partnerWithEvents } from '../support/deliveries.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { exampleOf, type Hostile, hostileRequests } from '../support/hostile.ts';
import { createPayTag, customerToken, newCustomer, newPerson } from '../support/onboarding.ts';
import { newWallet } from '../support/payments.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';

const server = useApp();

/** Real names of things, so that what is wrong with a request is met with a right path; by operations, where they differ. */
const good: Record<string, string> = {};
const goodUnder: Record<string, Record<string, string>> = {};
/** What a body needs beside its example, to be wrong in one thing alone. */
const members: Record<string, string> = {};
const credentials: Record<string, string> = {};
const bearers: Record<string, string> = {};

beforeAll(async () => {
  const partner = await server.newPartner({ float: 1000 });
  const customer = await newCustomer(server, partner);
  const token = await customerToken(server, partner, customer.paytag);
  const made = await createPayTag(server, partner, newPerson());
  const application = await newApplication(server);
  Object.assign(credentials, partner.headers, { 'x-terminal': 'SN-HOSTILE' });
  Object.assign(good, { reference: made.json<{ Reference: string }>().Reference, tag: customer.paytag });
  bearers['customer'] = `Bearer ${token}`;
  bearers['application'] = application.headers.authorization;
  bearers['operator'] = `Bearer ${OPERATOR_TOKEN}`;
  await server.operate('POST', '/terminals', { partnerId: partner.id, serialNumber: 'SN-HOSTILE' });
  await operatorsThings(application.applicationId);
});

/** Things that the operator ends: others than those the callers need. */
async function operatorsThings(applicationId: string): Promise<void> {
  const { partner, wallet } = await partnerWithEvents(server);
  const { nuban } = await newWallet(server, partner);
  const deliveries = await server.operate('GET', `/deliveries?partnerId=${partner.id}`);
  const { keys } = (await server.operate('GET', `/partners/${partner.id}`)).json();
  const lien = await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 1, reason: 'a test' });
  Object.assign(good, { ownerId: partner.id, serialNumber: 'SN-HOSTILE' });
  Object.assign(goodUnder, {
    '/operator/v1/applications/': { id: applicationId },
    '/operator/v1/deliveries/': { id: deliveries.json().items[0].id },
    '/operator/v1/partners/': { id: partner.id, keyId: keys[0].id },
    '/operator/v1/transactions/': { reference: 'credit' },
    '/operator/v1/wallets/': { reference: wallet, id: String(lien.json().id) },
  });
  Object.assign(members, { partnerId: partner.id, terminal: 'SN-HOSTILE', nuban, walletReference: wallet });
}

const goodFor = ({ path }: Described) =>
  Object.assign(
    {},
    good,
    ...Object.entries(goodUnder).flatMap(([under, own]) => (path.startsWith(under) ? [own] : [])),
  );

/** The bodies of an operation that does several things by their `type`. */
const kinds = [
  { type: 'PARTNER_TERMINAL', terminal: '', amount: 1, reference: 'hostile-1', sender: {}, comment: 'x', metadata: {} },
  { type: 'INBOUND', nuban: '', amount: 1, reference: 'hostile-2', sender: { name: 'Bola' }, comment: 'x' },
];

function bodiesFor(described: Described): Record<string, unknown>[] {
  const example = exampleOf(described);
  if (example === undefined) return [];
  const all = described.path === '/operator/v1/transactions' ? [example, ...kinds] : [example];
  return all.map((body) => {
    const known = Object.entries(members).filter(([member]) => member in body);
    return { ...body, ...Object.fromEntries(known) };
  });
}

function headersFor({ operation }: Described): Record<string, string> {
  const schemes = Object.keys(operation.security?.[0] ?? {});
  const bearer = schemes.map((scheme) => bearers[scheme]).find((value) => value !== undefined);
  return { ...credentials, ...(bearer === undefined ? {} : { authorization: bearer }) };
}

/** What is wrong with the answer to a hostile request; undefined when it was taken, or refused as it should be. */
async function complaint(described: Described, { what, url, headers, payload }: Hostile): Promise<string | undefined> {
  const method = described.method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  const where = `${method} ${described.path}: ${what}`;
  const sent = { headers: { ...headersFor(described), ...headers }, ...(payload === undefined ? {} : { payload }) };
  const answer = await server.call(method, url, sent).catch((error: unknown) => String(error));
  if (typeof answer === 'string') return `${where}: ${answer}`;
  if (answer.statusCode < 400) return undefined;
  if (answer.statusCode >= 500) return `${where} was answered ${answer.statusCode}: ${answer.body}`;
  const isRefusal = expect.objectContaining({
    success: false,
    message: expect.stringMatching(/./),
    errorCode: expect.toSatisfy((code: string) => code in errorStatus),
    errors: expect.arrayContaining([expect.any(String)]),
    timestamp: expect.any(String),
    requestId: answer.headers['x-request-id'],
  });
  return isRefusal.asymmetricMatch(answer.json()) ? undefined : `${where} has no error shape: ${answer.body}`;
}

describe.each(documentUrls)('every operation of %s', (documentUrl) => {
  it('answers whatever is sent with success or with a refusal in the error shape, never with a 500', async () => {
    const document = await readDocument(server.app, documentUrl);
    const complaints: string[] = [];
    let sent = 0;
    for (const described of operationsOf(document)) {
      const requests = hostileRequests(described, goodFor(described), bodiesFor(described));
      sent += requests.length;
      for (const request of requests) {
        const found = await complaint(described, request);
        if (found !== undefined) complaints.push(found);
      }
    }
    expect(sent).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });
});
