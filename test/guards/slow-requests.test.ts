import { beforeAll, expect, it } from 'vitest';
import { operatorOperations } from '#wire/operator-operations.ts';
import { encoded, hiddenIn, signedIn } from '../http/console/console.ts';
import { type Member, membersOf } from '../http/every-operation/members.ts';
import { type HostileWorld, makeHostileWorld } from '../http/hostile-world.ts';
import { type TestApp, useApp } from '../support/app.ts';
import { repetitions } from '../support/cases.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../support/described.ts';
import { jsonMs, threadMs } from '../support/log.ts';
import { newOperator } from '../support/operators.ts';

/** What a request may take of the event loop, on which all others wait meanwhile: as much as so many mebibytes of JSON. */
const MEBIBYTES_MAX = 6;
/** So often a request is sent again that took longer: the first of its kind compiles what it needs. */
const TRIES = 4;
/** Of each text so many bytes: what is left of the body, the headers or the line is for the rest. */
const BODY_MAX = 30 * 1024;
const HEADER_MAX = 15 * 1024;
const QUERY_MAX = 15 * 1024;
const PATH_MAX = 295;

/** What a text is made of. */
const units = ['a', ' ', '\t', '0', 'A ', '\u0301', '1234567890', '-._/:;,', '"\'', '([{', '\\', 'ab'];

/** A text of one thing again and again: from its beginning to its end, or behind what fits and before what does not. */
interface Shape {
  unit: string;
  before: string;
  behind: string;
}
const shapes = ['', 'a'].flatMap((before) =>
  units.map((unit): Shape => ({ unit, before, behind: before === '' ? '' : '!' })),
);
/** Each place is given one of the shapes, the next place the next one: by `npm run test:long` all of them. */
const SHARES = repetitions({ short: shapes.length, soak: 1 });
const shapesOf = (place: number) => shapes.filter((_, at) => (at + place) % SHARES === 0);

const NO_LIMITS = [
  'LOGINS_PER_M',
  'FAILED_LOGINS_PER_H',
  'CODES_PER_D',
  'WRONG_CODES_PER_D',
  'MESSAGES_PER_D',
  'WRONG_PROOFS_PER_H',
  'REVEALS_PER_H',
  'FINDS_PER_H',
  'WRONG_OPERATOR_TOKENS_PER_M',
  'CALLS_PER_S',
];
const server = useApp(Object.fromEntries(NO_LIMITS.map((name) => [`RATE_LIMIT_${name}`, '0'])));
const operations: Described[] = [];
let world: HostileWorld;
beforeAll(async () => {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  operations.push(...documents.flatMap(operationsOf));
  world = await makeHostileWorld(server);
});

interface Sent {
  method: string;
  url: string;
  headers?: Record<string, string>;
  payload?: string;
}

const loopMs = async ({ method, url, ...sent }: Sent): Promise<number> =>
  threadMs(() => server.app.inject({ ...sent, method: method as Parameters<TestApp['call']>[0], url }));

/** What takes longer than it may, each time. */
async function slowOnes(requests: Iterable<Sent>): Promise<string[]> {
  const slow: string[] = [];
  let maxMs = MEBIBYTES_MAX * (await jsonMs());
  for (const request of requests) {
    let least = await loopMs(request);
    for (let tries = 1; least > maxMs && tries < TRIES; tries += 1) {
      maxMs = MEBIBYTES_MAX * (await jsonMs());
      least = Math.min(least, await loopMs(request));
    }
    if (least > maxMs) slow.push(`${least.toFixed()} ms: ${JSON.stringify(request).slice(0, 400)}`);
    server.forgetLogged();
  }
  return slow;
}

const bytesOf = (unit: string): number => Buffer.byteLength(JSON.stringify(unit)) - 2;
/** So many bytes of a shape, as JSON has them. */
const text = ({ unit, before, behind }: Shape, bytes: number): string =>
  before + unit.repeat(Math.floor((bytes - 2) / bytesOf(unit))) + behind;
/** So many letters of it. */
const letters = ({ unit, before, behind }: Shape, length: number): string =>
  before + unit.repeat(length).slice(0, Math.max(length - before.length - behind.length, 0)) + behind;

const urlOf = ({ path }: Described, good: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(good[name] ?? 'nothing'));

/** A member at its longest, as JSON: of the length that its description allows, and of what a body may hold. */
function* valuesOf({ schema }: Member, shape: Shape): Generator<string> {
  const { maxLength } = schema as { maxLength?: number };
  yield JSON.stringify(text(shape, BODY_MAX));
  if (maxLength !== undefined) yield JSON.stringify(letters(shape, maxLength));
  const types = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(({ type }) => type);
  const items = (one: string) => `[${Array.from({ length: BODY_MAX / (one.length + 1) - 1 }, () => one).join()}]`;
  if (types.some((type) => type === 'number' || type === 'integer')) {
    yield `1.${'0'.repeat(BODY_MAX)}1`;
    yield '1'.repeat(40);
  }
  if (types.includes('array')) {
    yield items(JSON.stringify(shape.unit));
    yield items('{}');
  }
  if (types.includes('object') || types.includes(undefined)) {
    yield `{${Array.from({ length: BODY_MAX / 24 }, (_, at) => `${JSON.stringify(`${at}${shape.unit}`)}:1`).join()}}`;
    yield `${'{"a":'.repeat(BODY_MAX / 6)}1${'}'.repeat(BODY_MAX / 6)}`;
    yield `{"a":1.${'0'.repeat(BODY_MAX)}1}`;
    yield `{"a":[${'1.50,'.repeat(BODY_MAX / 5 - 3)}1]}`;
  }
}

/** A body as JSON text in which one member has another value, as JSON text as well. */
function bodyWith(
  body: Readonly<Record<string, unknown>>,
  [name = '', ...inner]: readonly string[],
  value: string,
): string {
  const others = Object.entries(body).filter(([other]) => other !== name);
  const own = inner.length === 0 ? value : bodyWith((body[name] ?? {}) as Record<string, unknown>, inner, value);
  return `{${[...others.map(([other, known]) => `${JSON.stringify(other)}:${JSON.stringify(known)}`), `${JSON.stringify(name)}:${own}`].join()}}`;
}

function* requestsOf(described: Described): Generator<Sent> {
  const { method, operation } = described;
  const good = world.goodFor(described);
  const headers = world.headersFor(described);
  const url = urlOf(described, good);
  const json = { ...headers, 'content-type': 'application/json' };
  const bodies = world.bodiesFor(described);
  const members = membersOf(described);
  for (const [place, member] of members.entries()) {
    for (const shape of shapesOf(place + url.length)) {
      if (member.where === 'query') {
        yield {
          method,
          url: `${url}?${member.path.join('.')}=${encodeURIComponent(text(shape, QUERY_MAX / 3))}`,
          headers,
        };
        continue;
      }
      const of = bodies.find((body) => member.kind === undefined || body['type'] === member.kind) ?? bodies[0] ?? {};
      for (const value of valuesOf(member, shape)) {
        yield { method, url, headers: json, payload: bodyWith(of, member.path, value) };
      }
    }
  }
  for (const [place, { name }] of (operation.parameters ?? []).filter((one) => one.in === 'path').entries()) {
    for (const shape of shapesOf(place + url.length)) {
      const named = urlOf(described, { ...good, [name]: letters(shape, PATH_MAX) });
      yield { method, url: named, headers: json, ...(bodies[0] && { payload: JSON.stringify(bodies[0]) }) };
    }
  }
}

it.each(documentUrls)(
  'no operation of %s takes the event loop for longer, whatever a text is made of',
  async (document) => {
    const own = operationsOf(await readDocument(server, document));
    const slow: string[] = [];
    for (const described of own) slow.push(...(await slowOnes(requestsOf(described))));
    expect(slow).toEqual([]);
    expect(own.length).toBeGreaterThan(10);
  },
);

/** Those that somebody of ours, Fastify or Node reads. */
const readHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'origin',
  'prefer',
  'range',
  'referer',
  'sec-fetch-site',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-api-key',
  'x-audit-reason',
  'x-client-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-paystack-signature',
  'x-request-id',
  'x-terminal',
];

/** One of each kind of page, document and form, with what is read of its query or its fields. */
const pages: readonly (readonly ['GET' | 'POST', string, (readonly string[])?])[] = [
  ['GET', '/'],
  ['GET', '/nothing-here'],
  ['GET', '/p/ada'],
  ['GET', '/p/ada/qr.png'],
  ['GET', '/docs'],
  ['GET', '/docs/partner'],
  ['GET', '/v2/openapi.json'],
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/health/ready'],
  ['GET', '/statement/verify', ['code']],
  ['GET', '/statements/nothing', ['with']],
  ['GET', '/api/v1/consent/nothing'],
  ['POST', '/api/v1/consent/nothing', ['decision', 'password', 'code', 'form', 'paytag']],
  ['POST', '/api/v1/consent/nothing/code', ['channel', 'form']],
  ['GET', '/api/v1/federation/nothing'],
  ['POST', '/api/v1/federation/nothing', ['decision', 'password', 'code', 'form']],
  ['GET', '/webhooks', ['status', 'event', 'reference', 'from', 'to', 'cursor', 'endpointId']],
  ['GET', '/webhooks/deliveries/nothing'],
  ['GET', '/webhooks/open/nothing'],
  ['POST', '/webhooks/open', ['token', 'form']],
  ['POST', '/hooks/paystack', ['event']],
  ['GET', '/console'],
  ['GET', '/console/sign-in', ['to']],
  ['POST', '/console/sign-in', ['token', 'to', 'form']],
  ['POST', '/v2/partner/wallet'],
  ['POST', '/oauth/token', ['grant_type', 'client_id', 'client_secret', 'scope']],
  ['POST', '/api/v1/claims'],
  ['GET', '/operator/v1/partners'],
];
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** A header's text: what no header may hold is a letter of Latin-1. */
const headerText = ({ unit, ...shape }: Shape): string =>
  letters({ ...shape, unit: unit.replaceAll(/[^\t -~]/g, '\u00e9') }, HEADER_MAX);

function* requestsOfPages(): Generator<Sent> {
  for (const [at, [method, url, names = []]] of pages.entries()) {
    const whole = method === 'POST' ? { payload: 'form=x', headers: form } : {};
    for (const [place, name] of readHeaders.entries()) {
      for (const shape of shapesOf(at + place)) {
        for (const accept of ['text/html', 'application/json']) {
          yield { method, url, ...whole, headers: { accept, ...whole.headers, [name]: headerText(shape) } };
        }
      }
    }
    for (const [place, name] of [...names, '', 'anything'].entries()) {
      for (const shape of shapesOf(at + place)) {
        const long = `${name}=${encodeURIComponent(text(shape, QUERY_MAX / 3))}`;
        const many = `${encodeURIComponent(name || shape.unit)}=&`.repeat(400);
        for (const query of [long, many]) {
          yield { method, url: `${url}?${query}`, ...whole, headers: { accept: 'text/html', ...whole.headers } };
          if (method === 'POST')
            yield { method, url, payload: `form=x&${query}`, headers: { accept: 'text/html', ...form } };
        }
        yield { method, url: `${url}/${encodeURIComponent(text(shape, QUERY_MAX / 3))}`, ...whole };
      }
    }
  }
}

it('no page, document or form does, whatever its headers, its query and its fields are made of', async () => {
  expect(await slowOnes(requestsOfPages())).toEqual([]);
});

it('no form of the console does', async () => {
  const browser = await signedIn(server, (await newOperator(server, 'admin')).token);
  const headers = { accept: 'text/html', ...form, cookie: browser.cookie };
  const slow: string[] = [];
  const actions = operatorOperations.filter(({ method }) => method !== 'GET');
  for (const [at, { operationId, parameters }] of actions.entries()) {
    const url = `/console/actions/${operationId}`;
    const hidden = hiddenIn((await browser.get(url)).body);
    const requests = parameters.flatMap(({ name, kind }, place) => {
      const numbers = kind === 'money' || kind === 'integer' ? [`1.${'0'.repeat(BODY_MAX)}1`] : [];
      const values = [...numbers, ...shapesOf(at + place).map((shape) => text(shape, BODY_MAX / 3))];
      return values.map((value): Sent => {
        return { method: 'POST', url, headers, payload: encoded({ ...hidden, [name]: value }) };
      });
    });
    slow.push(...(await slowOnes(requests)));
  }
  expect(slow).toEqual([]);
  expect(actions.length).toBeGreaterThan(40);
});
