import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, useApp } from '../support/app.ts';
import { newApplication } from '../support/application.ts';
import {
  type Callers,
  type Described,
  documentUrls,
  operationsOf,
  readDocument,
  requestOf,
} from '../support/described.ts';
import { customerToken, newCustomer } from '../support/onboarding.ts';
import { OPERATOR_TOKEN } from '../support/process.ts';

const TTL = { CUSTOMER_TOKEN_TTL_S: '3600' };
const open = useApp(TTL);
/** One call a second, so that the second in the same is one too many: each call is given a second of its own. */
const server = useApp({ ...TTL, RATE_LIMIT_CALLS_PER_S: '1' }, open);
const bearers: Record<string, string> = { operator: OPERATOR_TOKEN };
/** For each test, because one of the operations logs out. */
let newToken: () => Promise<string>;
const callers: Callers = { headers: {}, bearers };

beforeAll(async () => {
  const partner = await open.newPartner();
  const { paytag } = await newCustomer(open, partner);
  newToken = () => customerToken(open, partner, paytag);
  bearers['application'] = (await newApplication(open)).headers.authorization.replace('Bearer ', '');
  Object.assign(callers.headers, partner.headers, { 'x-terminal': 'SN-1' });
  open.clock.stop();
});
beforeEach(async () => {
  bearers['customer'] = await newToken();
});

/** Sends the request of an operation with something changed, in the same second as the one before unless told. */
async function ask(
  described: Described,
  changed: { headers?: object; payload?: string } = {},
  at: 'next' | 'same' = 'next',
) {
  if (at === 'next') server.clock.advance(1000);
  const { method, url, headers, payload } = requestOf(described, callers);
  const sent = changed.payload ?? payload;
  return server.call(method, url, {
    headers: { ...headers, ...changed.headers },
    ...(sent === undefined ? {} : { payload: sent }),
  });
}
const statusAndCode = (answer: Answer) => [answer.statusCode, answer.json<{ errorCode: string }>().errorCode];
/** A bank's file is larger than 32 KiB; what it may be is tested with its operation. */
const takesFiles = ['/operator/v1/reconciliation/imports'];
const nameOf = ({ method, path }: Described) => `${method} ${path}`;

describe.each(documentUrls)('every operation of %s', (url) => {
  const operations = async (wanted: (described: Described) => boolean) => {
    const found = operationsOf(await readDocument(open, url)).filter(wanted);
    expect(found.length).toBeGreaterThan(5);
    return found;
  };
  const refusals = async (found: Described[], refusal: (described: Described) => Promise<Answer>) => {
    const answers = [];
    for (const described of found) answers.push([nameOf(described), ...statusAndCode(await refusal(described))]);
    return answers;
  };
  const each = (found: Described[], ...refusal: [status: number, errorCode: string]) =>
    found.map((described) => [nameOf(described), ...refusal]);

  it('413: takes no body over 32 KiB', async () => {
    const found = await operations(
      ({ operation, path }) => operation.requestBody !== undefined && !takesFiles.includes(path),
    );
    const payload = JSON.stringify({ comment: 'x'.repeat(32 * 1024) });
    expect(await refusals(found, (one) => ask(one, { payload }))).toEqual(each(found, 413, 'BODY_TOO_LARGE'));
  });

  it('415: takes a body by its content type alone', async () => {
    const found = await operations(({ operation }) => operation.requestBody !== undefined);
    const headers = { 'content-type': 'application/xml' };
    expect(await refusals(found, (one) => ask(one, { headers }))).toEqual(each(found, 415, 'UNSUPPORTED_MEDIA_TYPE'));
  });

  it('400: takes no list, text or number for a body that is an object', async () => {
    const found = await operations(({ operation }) => operation.requestBody !== undefined);
    for (const payload of ['[]', '"now"', '7']) {
      expect(await refusals(found, (one) => ask(one, { payload }))).toEqual(each(found, 400, 'INVALID_PARAMETER'));
    }
  });

  it('400: takes no Idempotency-Key that is empty or too long, where it takes one', async () => {
    const found = await operations(takesKey);
    for (const key of ['', 'k'.repeat(256)]) {
      const headers = { 'idempotency-key': key };
      expect(await refusals(found, (one) => ask(one, { headers }))).toEqual(each(found, 400, 'INVALID_PARAMETER'));
    }
  });

  it('429: is counted among its caller’s calls, where it asks who calls', async () => {
    const found = await operations(
      ({ operation }) => (operation.security ?? []).length > 0 && !isForAnybody(operation),
    );
    const twice = async (one: Described) => {
      await ask(one);
      return ask(one, {}, 'same');
    };
    expect(await refusals(found, twice)).toEqual(each(found, 429, 'TOO_MANY_REQUESTS'));
  });

  it('409: does not take an Idempotency-Key again with another body, where it takes one', async () => {
    const found = await operations(takesKey);
    const reused = async (one: Described) => {
      const headers = { 'idempotency-key': nameOf(one), 'content-type': 'application/json' };
      await ask(one, { headers, payload: '{"another":"body"}' });
      return ask(one, { headers });
    };
    expect(await refusals(found, reused)).toEqual(each(found, 409, 'IDEMPOTENCY_KEY_REUSED'));
  });
});

const takesKey = ({ operation }: Described) =>
  (operation.parameters ?? []).some(({ name }) => name === 'idempotency-key');
const isForAnybody = ({ security = [] }: Described['operation']) =>
  security.some((needed) => Object.keys(needed).length === 0);
