import { beforeAll, describe, expect, it } from 'vitest';
import { errorStatus } from '../../src/http/error-status.ts';
import { useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import { type Described, type Document, documentUrls, operationsOf } from '../support/described.ts';
import { type Hostile, hostileRequests } from '../support/hostile.ts';
import { createPayTag, customerToken, newCustomer, newPerson } from '../support/onboarding.ts';

const server = useApp();

/** Real names of things, so that what is wrong with a request is met with a right path. */
const good: Record<string, string> = {};
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
  await server.operate('POST', '/terminals', { partnerId: partner.id, serialNumber: 'SN-HOSTILE' });
});
function headersFor({ operation }: Described): Record<string, string> {
  const schemes = Object.keys(operation.security?.[0] ?? {});
  const bearer = schemes.map((scheme) => bearers[scheme]).find((value) => value !== undefined);
  return { ...credentials, ...(bearer === undefined ? {} : { authorization: bearer }) };
}

/** What is wrong with the answer to a hostile request; undefined when it was taken, or refused as it should be. */
async function complaint(described: Described, { what, url, headers, payload }: Hostile): Promise<string | undefined> {
  const method = described.method as 'GET' | 'POST' | 'PUT' | 'DELETE';
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
    const document = (await server.call('GET', documentUrl)).json<Document>();
    const complaints: string[] = [];
    let sent = 0;
    for (const described of operationsOf(document)) {
      const requests = hostileRequests(described, good);
      sent += requests.length;
      for (const request of requests) {
        const told = await complaint(described, request);
        if (told !== undefined) complaints.push(told);
      }
    }
    expect(sent).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  }, 120_000);
});
