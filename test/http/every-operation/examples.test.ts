import { readFile, rm } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadDemo } from '../../../src/demo/load-demo.ts';
import { type Answer, useApp } from '../../support/app.ts';
import { type Described, describedAnswers, operationsOf, readDocument } from '../../support/described.ts';
import { newDatabaseFolder } from '../../support/memory.ts';
import { collectedRequests } from './collected-requests.ts';
import type { Good, GoodRequests } from './good-requests.ts';
import { fillIn, parseHttpFile } from './http-file.ts';
import { goodRequests, plainRequests } from './requests.ts';

const server = useApp({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
const good: GoodRequests = {};
let origin: string;
let dataDir: string;
let demo: Awaited<ReturnType<typeof loadDemo>>;

beforeAll(async () => {
  dataDir = await newDatabaseFolder('paytag-test-examples-');
  demo = await loadDemo({ ...server.resources, dataDir });
  const surfaces = ['partner', 'sandbox', 'sso', 'switch'] as const;
  Object.assign(good, await goodRequests(server, surfaces), await plainRequests(server, surfaces));
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => rm(dataDir, { recursive: true, force: true }));

/** Members of bodies that name what only this test's world has, or its secrets: the example's names nothing there. */
const made: Readonly<Record<string, readonly string[]>> = {
  'POST /v2/partner/wallet/{reference}/payout': ['accountName'],
  'POST /v2/sandbox/payment/gateway': ['walletReference'],
  'POST /v2/sandbox/payment/terminal': ['terminal', 'split'],
  'POST /v2/sandbox/payment/inbound': ['nuban'],
  'POST /v2/sandbox/application/transaction': ['receiverTag'],
  'POST /api/v1/tags/{tag}/claims': ['subjectId', 'externalId'],
  'POST /api/v1/tags': ['subjectId', 'externalId'],
  'POST /api/v1/transactions': ['senderTag', 'receiverTag'],
  'POST /api/v1/auth/token': ['client_id', 'client_secret'],
  'POST /api/v1/applications/secret/rotate': ['client_secret'],
};

/** The request of an example: where and by whom it is sent comes from the test's own world, what is asked for from the document. */
function requestOf({ operation, method, path }: Described, { url, headers, query = {}, body = {} }: Good) {
  const media = operation.requestBody?.content['application/json'];
  const example = media?.example as Record<string, unknown> | undefined;
  const replaced = (made[`${method} ${path}`] ?? []).map((member) => [member, body[member]]);
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return {
    url: `${url}${parameters.size === 0 ? '' : `?${parameters.toString()}`}`,
    headers: { ...headers, ...(example === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(example === undefined ? {} : { body: JSON.stringify({ ...example, ...Object.fromEntries(replaced) }) }),
  };
}

it('the example of every operation of partners and applications is answered as its document says, over HTTP', async () => {
  const documents = await Promise.all(
    (['/v2/openapi.json', '/api/openapi.json'] as const).map((url) => readDocument(server, url)),
  );
  const operations = documents.flatMap(operationsOf);
  const known = operations.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(made).filter((operation) => !known.includes(operation))).toEqual([]);
  const assertDescribed = await describedAnswers(server);
  const complaints: string[] = [];
  for (const described of operations) {
    const { method, path } = described;
    const request = await good[`${method} ${path}`]?.('', undefined);
    if (request === undefined) {
      complaints.push(`${method} ${path} has no good request: see good-requests.ts`);
      continue;
    }
    const { url, ...sent } = requestOf(described, request);
    const response = await fetch(`${origin}${url}`, { method, ...sent, redirect: 'manual' });
    const body = await response.text();
    if (response.status >= 300)
      complaints.push(`${method} ${path}: ${response.status} ${body.slice(0, 300)} ${sent.body ?? ''}`);
    assertDescribed(method, url, {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body,
    } as Answer);
  }
  expect(complaints).toEqual([]);
});

it('the story of paytag.http runs to its end with the demo, request by request', async () => {
  const { variables, requests } = parseHttpFile(await readFile('src/docs/collections/paytag.http', 'utf8'));
  const [application] = demo.applications;
  const given: Record<string, string> = {
    ...variables,
    origin,
    clientId: demo.partner.clientId,
    apiKey: demo.partner.apiKey,
    applicationClientId: application?.clientId ?? '',
    applicationClientSecret: application?.clientSecret ?? '',
  };
  expect(Object.keys(variables).toSorted()).toEqual(Object.keys(given).toSorted());
  expect(requests.length).toBeGreaterThan(15);
  const answers = new Map<string, string>();
  for (const { title, name, prompts, method, url, headers, body } of requests) {
    if (prompts.includes('authCode')) {
      given['authCode'] = new URL(answers.get('login') ?? '').searchParams.get('auth-code') ?? '';
    }
    const filled = (text: string): string => fillIn(text, given, answers);
    const sent = Object.entries(headers).map(([header, value]) => [header, filled(value)] as [string, string]);
    const response = await fetch(filled(url), {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: filled(body) }),
    });
    const text = await response.text();
    if (name !== undefined) answers.set(name, text);
    expect({ title, status: response.status, text }).toMatchObject({
      title,
      status: expect.toSatisfy((status: number) => status < 300),
    });
  }
});

it.each(['postman_collection', 'bruno'])(
  'the files for %s log in, and keep what the calls after that need, by scripts that need no more than the program gives them',
  async (kind) => {
    const [application] = demo.applications;
    const given: Record<string, string> = {
      origin,
      paytag: 'ada',
      password: demo.password,
      clientId: demo.partner.clientId,
      apiKey: demo.partner.apiKey,
      applicationClientId: application?.clientId ?? '',
      applicationClientSecret: application?.clientSecret ?? '',
    };
    const texts = await Promise.all(
      ['partner', 'switch'].map((api) => readFile(`src/docs/collections/${api}.${kind}.json`, 'utf8')),
    );
    const requests = texts.flatMap((text) => collectedRequests(text));
    for (const name of [
      'createAuthCode',
      'exchangeAuthCode',
      'getCustomerWallet',
      'createToken',
      'getSettlementWallet',
    ]) {
      const { url, script, ...request } = requests.find((one) => one.name === name) ?? missing(name);
      const filled = (text: string): string => fillIn(text, given, new Map());
      const headers = request.headers.map(([key, value]) => [key, filled(value)] as [string, string]);
      const body = request.body === undefined ? {} : { body: filled(request.body) };
      const response = await fetch(filled(url), { method: request.method, headers, ...body });
      const answer = await response.text();
      expect([name, response.status, answer]).toEqual([name, 200, answer]);
      const keep = (key: string, value: string) => void (given[key] = value);
      const parsed = () => JSON.parse(answer) as unknown;
      const got = response.headers.get('content-type')?.includes('json') === true ? parsed() : answer;
      runInNewContext(script, {
        pm: { environment: { set: keep }, response: { text: () => answer, json: parsed } },
        bru: { setEnvVar: keep },
        res: { getBody: () => got },
      });
    }
  },
);

const missing = (name: string): never => {
  throw new Error(`there is no request ${name}`);
};
