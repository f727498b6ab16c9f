import type { Described, Operation, Parameter } from './described.ts';
import { repetitions } from './repetitions.ts';

/** A request that a confused or hostile client might send. `what` names what is wrong with it. */
export interface Hostile {
  what: string;
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const UNKNOWN = 'unknown';
const OVERLONG = 'a'.repeat(10_000);

/** As JSON text, so that they reach the server as they stand here. */
const wrongValues: Readonly<Record<string, string>> = {
  'an empty string': '""',
  blanks: '"   "',
  null: 'null',
  'a number': '42',
  'a number beyond all doubles': '1e400',
  'a negative number': '-1',
  true: 'true',
  'an array for a string': '["ada"]',
  'an object for a string': '{"$ne":""}',
  'an over-long string': `"${OVERLONG}"`,
  'emoji and combining marks': '"\u{1f9d1}\u{1f3ff}‍\u{1f680} e\u0301"',
  'right-to-left and Cyrillic look-alikes': '"\u202eаda"',
  'a null byte': '"a\\u0000b"',
  'half a character': '"\\ud800"',
  'what SQL would read': `"'; drop table ledger.entry; --"`,
  'a prototype': '{"__proto__":{"admin":true}}',
};

const segments = [
  '%00',
  '%2e%2e%2f%2e%2e',
  '%252e',
  '%E0%A4%A',
  '%F0%9F%A6%84',
  OVERLONG.slice(0, 400),
  '%20',
  "'%3b--",
];
/** For a parameter that nothing reads: what whoever takes the query string apart might trip over. */
const unknownQueries = [OVERLONG, '%E0%A4'];
const queries = ['', '%00', OVERLONG, '-1', '1e9', 'NaN', '%F0%9F%A6%84', '%E0%A4', "' or 1=1"];

/** Of so many values a member takes one. */
const SHARES = repetitions({ short: 4, soak: 1 });

/**
 * The share of values that one of several members takes. Its neighbours take the others, and members of the same place in
 * other operations take other shares: between them the operations of a document meet every value, in each kind of place.
 */
const shareOf = <Value>(all: readonly Value[], path: string, place: number): Value[] =>
  all.filter((_, index) => (index + place + path.length) % SHARES === 0);

/** The url of an operation with its path parameters filled in. */
const urlOf = (path: string, fill: (name: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name));

type Body = Readonly<Record<string, unknown>>;

/** A body as an operation describes it; undefined where it takes none. */
export const exampleOf = ({ operation }: Described): Body | undefined =>
  operation.requestBody?.content['application/json']?.example as Body | undefined;

/**
 * Whatever can be done wrong to an operation, one thing at a time. `good` fills in its path parameters, `bodies` are sent
 * with one of their members spoilt.
 */
export function hostileRequests(
  { path, operation }: Described,
  good: Readonly<Record<string, string>>,
  bodies: readonly Body[],
): Hostile[] {
  const url = urlOf(path, (name) => good[name] ?? 'nothing');
  return [
    ...inThePath(path, good),
    ...inTheQuery(url, operation, bodies[0]),
    ...(bodies.length === 0 ? withoutBody(url) : bodies.flatMap((body) => inTheBody(url, body))),
  ];
}

function inThePath(path: string, good: Readonly<Record<string, string>>): Hostile[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.flatMap((hit, place) =>
    shareOf(segments, path, place).map((segment) => ({
      what: `path ${hit} is ${segment.slice(0, 40)}`,
      url: urlOf(path, (name) => (name === hit ? segment : (good[name] ?? 'nothing'))),
      headers: JSON_TYPE,
      payload: '{}',
    })),
  );
}

function inTheQuery(url: string, { parameters = [] }: Operation, body: Body | undefined): Hostile[] {
  const sent = body === undefined ? { headers: {} } : { headers: JSON_TYPE, payload: JSON.stringify(body) };
  const names = parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
  return [...names, UNKNOWN].flatMap((name, place) => [
    { what: `query ${name} stands twice`, url: `${url}?${name}=1&${name}=2`, ...sent },
    { what: `query ${name} as an array`, url: `${url}?${name}[]=1&${name}[a]=2`, ...sent },
    ...(name === UNKNOWN ? unknownQueries : shareOf(queries, url, place)).map((value) => ({
      what: `query ${name} is ${value.slice(0, 40)}`,
      url: `${url}?${name}=${value}`,
      ...sent,
    })),
  ]);
}

const withoutBody = (url: string): Hostile[] => [
  { what: 'an empty body said to be JSON', url, headers: JSON_TYPE, payload: '' },
  { what: 'a body where none is asked for', url, headers: JSON_TYPE, payload: '{"a":[]}' },
  { what: 'another content type without a body', url, headers: { 'content-type': 'application/xml' }, payload: '' },
];

function inTheBody(url: string, example: Body): Hostile[] {
  const whole = ['', '[]', '"text"', 'null', '42', '{', '{}', '[[[[', `{"a":"${OVERLONG}"}`, '{"a":1,}', '\ufeff{}'];
  const bodies = whole.map((payload) => ({
    what: `the body is ${payload.slice(0, 20)}`,
    url,
    headers: JSON_TYPE,
    payload,
  }));
  const typed = [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
  ];
  const types = typed.map((type) => ({
    what: `the body is ${type}`,
    url,
    headers: { 'content-type': type },
    payload: JSON.stringify(example),
  }));
  const members = Object.keys(example).flatMap((member, place) => {
    const { [member]: _left, ...rest } = example;
    const missing = { what: `${member} is missing`, url, headers: JSON_TYPE, payload: JSON.stringify(rest) };
    const bad = shareOf(Object.entries(wrongValues), url, place).map(([what, value]) => ({
      what: `${member} is ${what}`,
      url,
      headers: JSON_TYPE,
      payload: `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length > 0 ? ',' : ''}"${member}":${value}}`,
    }));
    return [missing, ...bad];
  });
  return [...bodies, ...types, ...members];
}

/** A request as the document of its operation describes it. */
export interface DescribedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** JSON text; undefined where the operation takes no body. */
  payload: string | undefined;
}

/** Who asks: partner headers, sent always, and the bearer token of each scheme that asks for one. */
export interface Callers {
  headers: Record<string, string>;
  bearers: Readonly<Record<string, string>>;
}

/** The request of an operation, by a caller who may ask, about things that are well named and not there. */
export function requestOf(described: Described, { headers, bearers }: Callers): DescribedRequest {
  const { method, path, operation } = described;
  const schemes = Object.keys(operation.security?.[0] ?? {});
  const token = schemes.map((scheme) => bearers[scheme]).find((bearer) => bearer !== undefined);
  const values = new Map(operation.parameters?.map((parameter) => [parameter.name, valueFor(parameter)]));
  const asked = operation.parameters?.filter((parameter) => parameter.in === 'query' && parameter.required) ?? [];
  const query = asked.length === 0 ? '' : `?${asked.map(({ name }) => `${name}=${values.get(name)}`).join('&')}`;
  const body = exampleOf(described);
  return {
    method: method as DescribedRequest['method'],
    url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '') + query,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    payload: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** What is judged before the store is asked: a day, and which rail. */
const judgedAtOnce: Readonly<Record<string, string>> = { date: '2026-01-31', provider: 'simulator' };

function valueFor({ name, schema }: Parameter): string {
  const judged = judgedAtOnce[name];
  if (judged !== undefined) return judged;
  const { format, pattern, example } = schema as { format?: string; pattern?: string; example?: unknown };
  if (format === 'uuid') return '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d';
  if (pattern === undefined) return 'something';
  return typeof example === 'string' ? example : '22212345678';
}
