import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../../support/described.ts';
import type { GoodRequests } from './good-requests.ts';
import { goodRequests, plainRequests } from './requests.ts';

const server = useApp({ APPROVAL_ABOVE: '1000000', RATE_LIMIT_CALLS_PER_S: '1000000' });
const good: GoodRequests = {};
let described: Described[];

/** What says of nothing that it has committed it, and why it may be done twice. */
const harmless: Readonly<Record<string, string>> = {
  'POST /api/v1/subjects': 'an externalId stands for one subject, and the same content is answered with it',
  'POST /v2/partner/wallet/{reference}/account': 'a wallet has one account number, which is answered again',
  'POST /v2/partner/webhook/portal': 'a link is signed, and nothing is written',
  'POST /v2/sso/transaction/statement':
    'a link is signed, and nothing is written; what `Prefer: respond-async` writes is marked',
};

beforeAll(async () => {
  Object.assign(good, await goodRequests(server), await plainRequests(server));
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  described = documents.flatMap(operationsOf).filter(({ method }) => method === 'POST');
});

const takesKey = ({ operation: { parameters = [] } }: Described): boolean =>
  parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');

interface Shape {
  required?: string[];
  oneOf?: Shape[];
}

/** Whether it cannot be asked for without a reference of the caller's, by which it is done once. */
function needsReference({ operation: { requestBody } }: Described): boolean {
  const schema: Shape | undefined = requestBody?.content['application/json']?.schema;
  return (schema?.oneOf ?? [schema]).every((shape) => shape?.required?.includes('reference') === true);
}

/** Sends its good request under a new key, without a reference where none is needed. True when the run says that it has committed. */
async function isMarked(one: Described, more: Record<string, string> = {}): Promise<boolean> {
  const { path } = one;
  const made = await good[`POST ${path}`]?.('', undefined);
  if (made === undefined) throw new Error(`POST ${path} has no good request`);
  const { url, headers, body } = made;
  const { reference, ...rest } = body ?? {};
  const payload = needsReference(one) ? { ...rest, reference } : rest;
  const answer = await server.call('POST', url, {
    headers: { ...headers, ...more, 'idempotency-key': randomUUID() },
    ...(body === undefined ? {} : { payload }),
  });
  if (answer.statusCode >= 300) throw new Error(`POST ${path} answered ${answer.statusCode}: ${answer.body}`);
  const { rows } = await server.owner.query<{ marked: boolean }>(
    'select committed_run is not distinct from run_id as marked from idempotency.request where request_id = $1',
    [answer.headers['x-request-id']],
  );
  if (rows.length !== 1) throw new Error(`of POST ${path} its key is not kept`);
  return rows[0]?.marked === true;
}

it('what is done under an Idempotency-Key says so as it commits, but for what a reference does once, or what may be done twice', async () => {
  const keyed = described.filter((one) => takesKey(one) && !needsReference(one));
  expect(keyed.length).toBeGreaterThan(60);
  const unmarked: string[] = [];
  for (const one of keyed) if (!(await isMarked(one))) unmarked.push(`POST ${one.path}`);
  expect(unmarked.toSorted()).toEqual(Object.keys(harmless).toSorted());
}, 120_000);

it('what a reference does once does not say so, and is done again', async () => {
  const named = described.filter((one) => takesKey(one) && needsReference(one));
  expect(named.length).toBeGreaterThan(15);
  const marked: string[] = [];
  for (const one of named) if (await isMarked(one)) marked.push(`POST ${one.path}`);
  expect(marked).toEqual([]);
}, 120_000);

it('a statement that is mailed is asked for once', async () => {
  const statement = described.find(({ path }) => path === '/v2/sso/transaction/statement');
  expect(statement && (await isMarked(statement, { prefer: 'respond-async' }))).toBe(true);
});
