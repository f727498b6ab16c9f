import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { type Described, type Document, documentUrls, operationsOf, requestOf } from '../support/described.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_TOKEN, serverEnv } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/served.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let proxy: TcpProxy;
let api: ServedHere;
let partner: Record<string, string> = {};
/** What proves a caller to each scheme of the documents that asks for a bearer token. */
const bearers: Record<string, string> = { operator: OPERATOR_TOKEN };

const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const json = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
async function read<Answer>(path: string, request: RequestInit): Promise<Answer> {
  return (await (await fetch(`${api.url}${path}`, request)).json()) as Answer;
}

beforeAll(async () => {
  proxy = await startTcpProxy(await createDatabase());
  api = await serveHere({ ...serverEnv(proxy.url), ROLE: 'api' });
  const acme = { name: 'Acme', redirectUrl: 'https://acme.example/callback' };
  const { clientId, apiKey } = await read<Record<string, string>>('/operator/v1/partners', json(acme, operator));
  partner = { 'x-client-id': clientId ?? '', 'x-api-key': apiKey ?? '', 'x-terminal': 'SN-1' };
  const shop = json({ applicationName: 'Corner Shop' });
  const { data } = await read<{ data: object }>('/api/v1/applications', shop);
  const credentials = Object.fromEntries(Object.entries(data).filter(([name]) => name.startsWith('client_')));
  const { access_token } = await read<Record<string, string>>('/api/v1/auth/token', json(credentials));
  bearers['application'] = access_token ?? '';
});
afterAll(async () => {
  await api.stop();
  await proxy.close();
});

/** Two know a token or key by our signature, and say so of one that we did not sign; root is known by the configuration; a bank's file is read first. */
const withoutStore = [
  '/api/v1/federation/{approvalToken}',
  '/v2/sandbox/hooks/{mode}/{key}',
  '/operator/v1/operators/me',
  '/operator/v1/reconciliation/imports',
];
const asksNoStore = ({ path }: Described) => withoutStore.includes(path);

describe.each(documentUrls)('while the database is away, every operation of %s', (url) => {
  it('is 503 with Retry-After, in the error shape, and is served again when it is back', async () => {
    const all = operationsOf(await read<Document>(url, { headers: operator }));
    const operations = all.filter((described) => !asksNoStore(described));
    expect(operations.length).toBeGreaterThan(20);
    proxy.goAway();
    const answers = [];
    for (const described of operations) {
      const { url: path, payload, ...request } = requestOf(described, { headers: partner, bearers });
      const answer = await fetch(`${api.url}${path}`, { ...request, body: payload ?? null });
      const { success, errorCode } = (await answer.json()) as { success: boolean; errorCode: string };
      const { status, headers } = answer;
      answers.push([described.method, described.path, status, success, errorCode, headers.get('retry-after')]);
    }
    proxy.restore();
    expect(answers).toEqual(operations.map(({ method, path }) => [method, path, 503, false, 'STORE_UNAVAILABLE', '1']));
    await eventually(async () => {
      expect((await fetch(`${api.url}/v2/partner/float`, { headers: partner })).status).toBe(200);
    });
  });
});
