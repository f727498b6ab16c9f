import { glob, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '#errors';
import type { ErrorCode } from '#lib/domain-error.ts';
import type { Good, GoodRequests, GoodRequestsOf } from '../http/every-operation/good-requests.ts';
import { jsonOf } from '../http/every-operation/members.ts';
import type { Answer, TestApp } from './app.ts';
import { type Described, documentUrls, operationsOf, readDocument } from './described.ts';

/** The id of nothing. */
export const NOBODY = '00000000-0000-7000-8000-000000000000';

/** How an answer refuses. */
export const refusalOf = (answer: Answer): [status: number, errorCode: string] => [
  answer.statusCode,
  answer.json<{ errorCode: string }>().errorCode,
];

/** A request that is refused. */
export interface Refused extends Good {
  /** The member that the refusal names where one is not valid. */
  names?: string | undefined;
}

/** What a row has to work with. */
export interface At {
  server: TestApp;
  /** The operation, as its document names it. */
  operation: string;
  /** Another good request of it, in which a member will be changed. */
  good: (member?: string, kind?: string) => Promise<Good>;
  send: (request: Good) => Promise<Answer>;
}

/** A row: makes a request that is refused, and the state that refuses it. */
export type Row = (at: At) => Promise<Refused>;
/** By operation, as a document names it, and by the error code. */
export type Refusals = Readonly<Record<string, Readonly<Partial<Record<ErrorCode, readonly Row[]>>>>>;

type Members = Readonly<Record<string, unknown>>;
interface About {
  /** Which of the things that an operation does by the `type` of its body. */
  kind?: string;
  /** Another member than the first that is changed. */
  names?: string;
}

/** A good request with other members in its body; `undefined` leaves one out. */
export const body =
  (members: Members, { kind, names }: About = {}): Row =>
  async ({ good }) => {
    const [first = ''] = Object.keys(members);
    const made = await good(first, kind);
    return { ...made, body: { ...made.body, ...members }, names: names ?? first };
  };

/** A row for each value of one member, which is named. */
export const each = (member: string, ...values: readonly unknown[]): Row[] =>
  values.map((value) => body({ [member]: value }));

/** A good request with other parameters in its query. */
export const query =
  (parameters: Members, { names }: About = {}): Row =>
  async ({ good }) => {
    const [first = ''] = Object.keys(parameters);
    const made = await good(first);
    return { ...made, query: { ...made.query, ...parameters }, names: names ?? first };
  };
export const eachQuery = (name: string, ...values: readonly unknown[]): Row[] =>
  values.map((value) => query({ [name]: value }));

type Segments = Readonly<Record<string, string>>;
/** A good request with other values in its path, by the names of its parameters. */
export const path =
  (segments: Segments | ((server: TestApp) => Promise<Segments>)): Row =>
  async ({ server, good, operation }) => {
    const made = await good();
    const others = typeof segments === 'function' ? await segments(server) : segments;
    return { ...made, url: withSegments(operation, made.url, others), names: Object.keys(others)[0] };
  };
export const eachPath = (name: string, ...values: readonly string[]): Row[] =>
  values.map((value) => path({ [name]: value }));

/** A good request with other headers. */
export const headers =
  (changed: Readonly<Record<string, string>>): Row =>
  async ({ good }) => {
    const made = await good();
    return { ...made, headers: { ...made.headers, ...changed }, names: Object.keys(changed)[0] };
  };

/** A good request for a second time, with other members. */
export const again =
  (members: Members = {}, about: About = {}): Row =>
  async ({ good, send }) => {
    const made = await good(undefined, about.kind);
    const first = await send(made);
    if (first.statusCode >= 300) throw new Error(`the first is refused already: ${first.body}`);
    return Object.keys(members).length === 0 ? made : { ...made, body: { ...made.body, ...members } };
  };

/** A good request after something else has happened to what it is about. */
export const after =
  (happens: (made: Good, at: At) => Promise<unknown>, about: About = {}): Row =>
  async (at) => {
    const made = await at.good(undefined, about.kind);
    await happens(made, at);
    return made;
  };

/** A path with other values for parameters of its template. */
function withSegments(operation: string, url: string, segments: Segments): string {
  const template = operation.split(' ')[1]?.split('/') ?? [];
  const [pathname = '', ...search] = url.split('?');
  const parts = pathname.split('/').map((part, at) => {
    const [, name = ''] = /^\{(.*)\}$/.exec(template[at] ?? '') ?? [];
    return segments[name] ?? part;
  });
  return [parts.join('/'), ...search].join('?');
}

/** The value of a path parameter, as a good request has it. */
export function segmentOf(operation: string, { url }: Good, name: string): string {
  const at = operation.split(' ')[1]?.split('/').indexOf(`{${name}}`) ?? -1;
  return url.split('?')[0]?.split('/')[at] ?? '';
}

/** Sends a request as it was made. */
function sendGood(server: TestApp, operation: string, { url, headers: sent, query: asked, body: given }: Good) {
  const [pathname = '', search = ''] = url.split('?');
  const parameters = { ...Object.fromEntries(new URLSearchParams(search)), ...asked };
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().flatMap((value: unknown) => (value === undefined ? [] : [[name, value as string]])),
  );
  const whole = pairs.length === 0 ? pathname : `${pathname}?${new URLSearchParams(pairs).toString()}`;
  return server.call(operation.split(' ')[0] as Parameters<TestApp['call']>[0], whole, {
    headers: { ...sent, ...(given === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(given === undefined ? {} : { payload: jsonOf(given) }),
  });
}

/** How much is written: what no refusal adds to. A declined movement of money keeps its reference. */
async function writtenIn({ owner }: TestApp): Promise<string> {
  const counts = written.map((rows) => `(select count(*) from ${rows})`).join();
  const { rows } = await owner.query<{ counts: string }>(`select concat_ws(' ', ${counts}) as counts`);
  return String(rows[0]?.counts);
}
const written = [
  'ledger.entry',
  'ledger.transaction where code is null',
  'ledger.hold',
  'outbox.event',
  'outbox.receiver',
  'audit.entry',
  'tags.tag',
  'claims.claim',
  'federations.link',
  'tag_transactions.tag_transaction',
  'terminals.split',
  'wallets.partner_wallet',
];

const nameOf = ({ method, path: template }: Described): string => `${method} ${template}`;

/** What every operation of its kind refuses, tested for all of them together in test/http/every-operation and beside it. */
const alike = new Set([
  'BAD_REQUEST',
  'MALFORMED_JSON',
  'INVALID_PARAMETER',
  'INVALID_CREDENTIALS',
  'INVALID_CUSTOMER_TOKEN',
  'INVALID_APPLICATION_TOKEN',
  'KEY_ENVIRONMENT_MISMATCH',
  'PARTNER_SUSPENDED',
  'APPLICATION_NOT_ACTIVE',
  'ROLE_REFUSED',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_ANSWER_LOST',
  'TOO_MANY_REQUESTS',
  'BUSY',
  'STORE_UNAVAILABLE',
  'PROXY_NOT_TRUSTED',
]);

const codesOf = ({ operation }: Described, from: number, to: number): string[] =>
  Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= from && Number(status) < to)
    .flatMap(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {}));

/** The test files beside the tables. */
async function textsOfStories(): Promise<string[]> {
  const files = await Array.fromAsync(glob('test/{db,http,process,security}/**/*.test.ts'));
  const stories = files.filter((file) => !file.startsWith('test/http/refusals/'));
  return Promise.all(stories.map((file) => readFile(file, 'utf8')));
}

interface Surface {
  /** What the paths of its operations begin with. */
  paths: RegExp;
  good: readonly GoodRequestsOf[];
  refusals: Refusals;
  /** Error codes, or those of one operation, or all of one, that take a race, a provider or time: a test of their own names them. */
  stories: readonly string[];
  /** Headers of a caller who may ask, but not about the things of a good request: to them these do not exist. */
  stranger?: (server: TestApp) => Promise<Record<string, string>>;
  /** Operations whose things anybody sees, or of which a stranger is told something else. */
  notHidden?: readonly string[];
}

/** Tests all that the operations of a surface refuse: by its table, and by the parameters that their paths have. */
export function testRefusals(server: TestApp, surface: Surface): void {
  const { paths, refusals, stories, stranger, notHidden = [] } = surface;
  const requests: GoodRequests = {};
  let operations: Described[] = [];
  let strange: Record<string, string> = {};
  const strangers = stranger === undefined ? [] : ['a stranger'];

  beforeAll(async () => {
    const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
    operations = documents.flatMap(operationsOf).filter((described) => paths.test(described.path));
    for (const requestsOf of surface.good) Object.assign(requests, await requestsOf(server));
    strange = (await stranger?.(server)) ?? {};
  });

  const at = (operation: string): At => ({
    server,
    operation,
    good: async (member = '', kind?: string) => {
      const made = await requests[operation]?.(member, kind);
      if (made === undefined) throw new Error(`${operation} has no good request`);
      return made;
    },
    send: (request) => sendGood(server, operation, request),
  });

  /** What is wrong with how a request is refused; undefined where nothing is. */
  async function complaint(operation: string, code: string | RegExp, request: Refused): Promise<string | undefined> {
    const before = await writtenIn(server);
    const answer = await sendGood(server, operation, request).catch((error: unknown) => String(error));
    const asked = jsonOf({ ...request, headers: undefined }).slice(0, 300);
    if (typeof answer === 'string') return `${asked}: ${answer}`;
    const { errorCode = '', errors: lines = [] } = answer.json<{ errorCode?: string; errors?: string[] }>();
    const isRight = typeof code === 'string' ? errorCode === code : code.test(errorCode);
    const told = `${asked}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
    if (!isRight || answer.statusCode !== errorTable[errorCode as ErrorCode].status) return `${String(code)} ${told}`;
    if (code === 'INVALID_PARAMETER' && !lines.some((line) => isNamed(line, request.names)))
      return `${request.names} is not named: ${told}`;
    return (await writtenIn(server)) === before ? undefined : `${code} leaves something behind: ${told}`;
  }

  it('each error code that an operation names has a row, or a story that shows it', async () => {
    const known = operations.map(nameOf);
    expect(Object.keys(refusals).filter((operation) => !known.includes(operation))).toEqual([]);
    const missing = operations.flatMap((described) => {
      const operation = nameOf(described);
      const unknown = codesOf(described, 404, 405);
      const isOfThePath = (code: string) => unknown.length === 1 && unknown[0] === code && operation.includes('{');
      return codesOf(described, 400, 600)
        .filter((code) => !alike.has(code) && !(code in (refusals[operation] ?? {})) && !isOfThePath(code))
        .filter((code) => ![code, operation, `${operation} ${code}`].some((one) => stories.includes(one)))
        .map((code) => `${operation} ${code}`);
    });
    expect(missing).toEqual([]);
    const codes = stories.map((one) => one.split(' ').at(-1) ?? '').filter((code) => /^[A-Z_]+$/.test(code));
    const told = await textsOfStories();
    expect(codes.filter((code) => !told.some((text) => text.includes(code)))).toEqual([]);
  });

  it.each(Object.keys(refusals))('%s', async (operation) => {
    const complaints: string[] = [];
    for (const [code, rows] of Object.entries(refusals[operation] ?? {})) {
      for (const row of rows) {
        const found = await complaint(operation, code, await row(at(operation)));
        if (found !== undefined) complaints.push(found);
      }
    }
    expect(complaints).toEqual([]);
  });

  describe('a path', () => {
    /** One good request of an operation is enough: what is refused leaves it as it was. */
    const known = new Map<string, Promise<Good>>();
    const remember = (operation: string) => {
      const made = at(operation).good();
      known.set(operation, made);
      return made;
    };
    const once = (operation: string): At => {
      const good = () => known.get(operation) ?? remember(operation);
      return { ...at(operation), good };
    };
    const named = () =>
      operations.flatMap((described) =>
        (described.operation.parameters ?? [])
          .filter((parameter) => parameter.in === 'path')
          .map(({ name, schema }) => ({ described, name, schema: schema as { format?: string; type?: string } })),
      );

    it('with an id that is none is refused by its name', async () => {
      const complaints: string[] = [];
      for (const { described, name, schema } of named()) {
        if (schema.format !== 'uuid' && schema.type !== 'integer') continue;
        for (const segment of ['acme', '%00']) {
          const request = await path({ [name]: segment })(once(nameOf(described)));
          const found = await complaint(nameOf(described), 'INVALID_PARAMETER', request);
          if (found !== undefined) complaints.push(`${nameOf(described)} ${found}`);
        }
      }
      expect(complaints).toEqual([]);
    });

    it('to nothing that is there is not found', async () => {
      const complaints: string[] = [];
      for (const { described, name } of named()) {
        const codes = codesOf(described, 404, 405);
        if (codes.length === 0 || name === 'date' || name === 'mode') continue;
        const operation = nameOf(described);
        const nothing = nothingLike(segmentOf(operation, await once(operation).good(), name));
        const request = await path({ [name]: nothing })(once(operation));
        const found = await complaint(nameOf(described), new RegExp(`^(${codes.join('|')})$`), request);
        if (found !== undefined) complaints.push(`${nameOf(described)} ${found}`);
      }
      expect(complaints).toEqual([]);
    });

    it.each(strangers)('to what is another’s is told as one to nothing, to %s', async () => {
      const complaints: string[] = [];
      const outcome = (answer: Answer) => [answer.statusCode, answer.json<{ message: string }>().message];
      for (const { described, name } of named()) {
        const operation = nameOf(described);
        if (notHidden.includes(operation) || codesOf(described, 404, 405).length === 0) continue;
        const made = await once(operation).good();
        const request = { ...made, headers: { ...made.headers, ...strange } };
        const nothing = nothingLike(segmentOf(operation, made, name));
        const toNothing = { ...request, url: withSegments(operation, made.url, { [name]: nothing }) };
        const before = await writtenIn(server);
        const [theirs, unknown] = [await at(operation).send(request), await at(operation).send(toNothing)];
        const isAlike = String(outcome(theirs)) === String(outcome(unknown)) && theirs.statusCode === 404;
        if (!isAlike || (await writtenIn(server)) !== before)
          complaints.push(`${operation} ${made.url}: ${theirs.body}`);
      }
      expect(complaints).toEqual([]);
    });
  });
}

/** A name of nothing that looks like the name of something. */
function nothingLike(segment: string): string {
  if (/^[0-9a-f]{8}-/.test(segment)) return NOBODY;
  if (/^\d+$/.test(segment)) return '9'.repeat(Math.max(segment.length, 9));
  return /^[0-9a-f]{32,}$/.test(segment) ? '0'.repeat(segment.length) : 'nobody-here';
}

/** Whether an error names a member, or one of its own. */
const isNamed = (error: string, name = ''): boolean =>
  error.startsWith(name) && /^[:., ]/.test(error.slice(name.length));
