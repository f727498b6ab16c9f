import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadDemo } from '../../../src/demo/load-demo.ts';
import { type Answer, useApp } from '../../support/app.ts';
import { newDatabaseFolder } from '../../support/database.ts';
import { type Described, describedAnswers, operationsOf, readDocument } from '../../support/described.ts';
import type { Good, GoodRequests } from './good-requests.ts';
import { goodRequests, plainRequests } from './requests.ts';

const server = useApp({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' });
const good: GoodRequests = {};
let origin: string;
let dataDir: string;

beforeAll(async () => {
  dataDir = await newDatabaseFolder('paytag-test-examples-');
  await loadDemo({ ...server.resources, dataDir });
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
