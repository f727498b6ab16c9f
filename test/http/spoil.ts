import type { Seeded } from '../support/cases.ts';

/** A request that may have been spoilt in several places at once. */
export interface Spoilt {
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}
/** What it was before. */
export interface Whole {
  path: string;
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>> | undefined;
}

const texts = [
  '',
  ' ',
  '\t\n',
  'a',
  'null',
  'true',
  '0',
  '-0',
  '1e9',
  '0x10',
  'NaN',
  '00000000000',
  '22222222201',
  '9999999999999999999999',
  '2026-02-30',
  '0000-00-00',
  '+275760-09-13',
  '2026-01-31T25:61:61Z',
  '9999-12-31T23:59:59.999999999+14:00',
  '00000000-0000-0000-0000-000000000000',
  '0199c2f4-6d1e-7a3b-9c5d-1e2f3a4b5c6d',
  'NGN',
  'ngn',
  'SUCCESSFUL',
  'https://example.com/hooks',
  'http://127.0.0.1:1/hooks',
  'http://[::1]:1/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'ada@example.com',
  'a@b',
  '@@',
  'ada..bola',
  '../../etc/passwd',
  "' or 1=1 --",
  '%',
  '%s%n',
  "'; drop table ledger.entry; --",
  '%2e%2e%2f',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\0',
  'a\0b',
  '\ud800',
  'e\u0301',
  '\u202eаda',
  '\u{1f9d1}\u{1f3ff}\u200d\u{1f680}',
  'ſ',
  'İ',
  'ﬃ',
  '\u2028',
  '\ufeff',
  '\uffff',
  'constructor',
  '__proto__',
  'toString',
];
const lengths = [30, 31, 64, 255, 256, 257, 1_000, 5_000, 33_000];
/** As JSON text: some of them are no number to JavaScript. */
const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '0.1',
  '0.001',
  '1e-7',
  '1.005',
  '2147483648',
  '9007199254740993',
  '1e15',
  '1e400',
];
const contentTypes = [
  'application/json; charset=latin1',
  'application/json;charset="utf-8"',
  'application/JSON',
  'application/json, application/json',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/csv',
  '*/*',
  ';',
  'x',
  '',
];
const oddHeaders: readonly (readonly [string, readonly string[]])[] = [
  ['idempotency-key', ['', ' ', 'k', 'k'.repeat(255), 'k'.repeat(256), 'é', '"quoted"', 'a\tb']],
  ['x-request-id', ['', 'r', 'r'.repeat(500), '<b>', '../..', '\u00ff']],
  ['traceparent', ['00-0-0-0', '00-00000000000000000000000000000000-0000000000000000-00', 'ff', '-'.repeat(300)]],
  ['accept', ['text/html', 'text/csv', 'image/*;q=0', '', 'x']],
  ['accept-encoding', ['gzip', 'br;q=2', '*;q=0']],
  ['if-none-match', ['*', '"x"', 'W/', ',']],
  ['range', ['bytes=0-0', 'bytes=-', 'lines=1']],
  ['content-encoding', ['gzip', 'br', 'identity', 'x']],
  ['x-forwarded-for', ['1.2.3.4', 'not an address', ','.repeat(200), '::1%eth0']],
  ['x-forwarded-proto', ['https', 'javascript']],
  ['x-http-method-override', ['DELETE']],
  ['x-terminal', ['', 'SN', '\u00ff', 'S'.repeat(5_000)]],
  ['x-audit-reason', ['', 'r', '%F0%9F%A6%84', '%E0%A4', 'r'.repeat(2_000)]],
  ['origin', ['null', 'https://evil.example']],
  ['cookie', ['session=', '=;=;=', 'a'.repeat(4_000)]],
  ['accept-language', ['xx-YY;q=9', '*']],
  ['host', ['evil.example', '[', '']],
];
const authorizations = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  'bearer a.b.c',
  'Basic',
  'Basic Og==',
  'Basic ***',
  'Digest x',
  `Bearer ${'a'.repeat(9_000)}`,
];

const anyText = (by: Seeded): string =>
  by.chance(15) ? by.pick(['a', '9', 'é', '\u{1f980}']).repeat(by.pick(lengths)) : by.pick(texts);

/** A value as JSON text. */
function anyValue(by: Seeded, depth = 0): string {
  const kind = by.between(0, depth > 3 ? 5 : 8);
  if (kind < 2) return JSON.stringify(anyText(by));
  if (kind === 2) return by.pick(numbers);
  if (kind === 3) return by.pick(['null', 'true', 'false']);
  if (kind === 4)
    return by.pick([
      '[]',
      '{}',
      '[null]',
      '{"":""}',
      '{"__proto__":{"admin":true}}',
      '{"toString":1,"valueOf":1}',
      '{"$ne":""}',
    ]);
  if (kind === 5) return `[${Array.from({ length: by.between(1, 4) }, () => anyValue(by, depth + 1)).join()}]`;
  if (kind === 6) return `{${JSON.stringify(anyText(by))}:${anyValue(by, depth + 1)}}`;
  return by.chance(50) ? '['.repeat(by.between(50, 4_000)) : `[${'0,'.repeat(by.between(100, 6_000))}0]`;
}

/** Members of an object as JSON text, so that one may stand twice and a value be none that JavaScript has. */
type Texts = [name: string, value: string][];

function spoiltBody(body: Readonly<Record<string, unknown>>, by: Seeded): string {
  const members: Texts = Object.entries(body).map(([name, value]) => [name, textOf(value, by)]);
  for (let change = by.between(0, 4); change > 0; change -= 1) {
    const at = by.between(0, members.length + 1);
    const [name = by.pick(texts)] = members[at] ?? [];
    const what = by.between(0, 6);
    if (what < 3) members[at] = [name, anyValue(by)];
    else if (what === 3) members.splice(at, 1);
    else if (what === 4) members.push([name, anyValue(by)]);
    else members.push([anyText(by), anyValue(by)]);
  }
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}

/** An inner value now and then spoilt in one place. */
function textOf(value: unknown, by: Seeded): string {
  if (typeof value !== 'object' || value === null || by.chance(60)) return JSON.stringify(value);
  if (!Array.isArray(value)) return spoiltBody(value as Record<string, unknown>, by);
  const places = value.map((one) => JSON.stringify(one));
  places[by.between(0, places.length + 1)] = anyValue(by);
  return `[${places.join()}]`;
}

/** The bytes of a body, seldom whole. */
function spoiltBytes(text: string, by: Seeded): string | Buffer {
  const what = by.between(0, 60);
  if (what === 0) return text.slice(0, by.between(0, text.length));
  if (what === 1) return `\ufeff${text}`;
  if (what === 2) return Buffer.from(text, 'utf16le');
  if (what === 3) return `${text}${text}`;
  if (what === 4) return '';
  if (what === 5) return anyValue(by);
  if (what > 7) return text;
  const bytes = Buffer.from(text);
  const at = by.between(0, bytes.length);
  bytes[at] = by.between(0, 256);
  return bytes;
}

const encoded = (text: string, by: Seeded): string =>
  by.chance(10)
    ? by.pick(['%00', '%', '%zz', '%E0%A4', '%2e%2e%2f', '%F0%9F%A6%84', '%C0%AE'])
    : encodeURIComponent(text.toWellFormed());

function spoiltPath(path: string, by: Seeded): string {
  const parts = path.split('/');
  if (!by.chance(15)) return path;
  parts[by.between(3, parts.length + 1)] = encoded(anyText(by), by);
  return parts.map((part) => part ?? '').join('/');
}

function spoiltQuery(query: Readonly<Record<string, unknown>>, names: readonly string[], by: Seeded): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  for (let more = by.chance(40) ? by.between(1, 4) : 0; more > 0; more -= 1) {
    const name =
      names.length === 0 || by.chance(15) ? by.pick(['unknown', '', '__proto__', 'a[b]', '%']) : by.pick(names);
    pairs.push(by.chance(5) ? name : `${name}=${encoded(anyText(by), by)}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function spoiltHeaders(given: Readonly<Record<string, string>>, by: Seeded): Record<string, string> {
  const headers = { ...given };
  if (by.chance(8)) {
    for (const name of ['x-client-id', 'x-api-key', 'authorization']) if (by.chance(60)) delete headers[name];
  }
  if (by.chance(4)) headers['authorization'] = by.pick(authorizations);
  if (by.chance(4))
    headers[by.pick(['x-client-id', 'x-api-key'])] = by.pick(['', ' ', 'x', '\u00ff', 'sk_live_x', 'a'.repeat(3_000)]);
  for (let more = by.chance(25) ? by.between(1, 3) : 0; more > 0; more -= 1) {
    const [name, values] = by.pick(oddHeaders);
    headers[name] = by.pick(values);
  }
  return headers;
}

/** A request spoilt in none or several places, as drawn. `names` are the query parameters that its operation has. */
export function spoil({ path, query, headers, body }: Whole, names: readonly string[], by: Seeded): Spoilt {
  const url = spoiltPath(path, by) + spoiltQuery(query, names, by);
  const sent = spoiltHeaders(headers, by);
  if (body === undefined && !by.chance(8)) return { url, headers: sent };
  const payload = spoiltBytes(spoiltBody(body ?? {}, by), by);
  return {
    url,
    headers: { ...sent, 'content-type': by.chance(5) ? by.pick(contentTypes) : 'application/json' },
    payload,
  };
}
