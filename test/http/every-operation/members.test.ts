import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { type Answer, type TestApp, useApp } from '../../support/app.ts';
import { repetitions } from '../../support/cases.ts';
import { type Described, documentUrls, operationsOf, readDocument } from '../../support/described.ts';
import type { Good, GoodRequests } from './good-requests.ts';
import { jsonOf, type Member, membersOf, shapeOf, unfitValues } from './members.ts';
import { goodRequests, plainRequests } from './requests.ts';

const server = useApp({ APPROVAL_ABOVE: '1000000' });
const good: GoodRequests = {};
const operations: Described[] = [];

beforeAll(async () => {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  operations.push(...documents.flatMap(operationsOf));
  Object.assign(good, await plainRequests(server), await goodRequests(server));
  delete good['POST /operator/v1/suspense/{id}/resolve']; // what it needs depends on another member
});

/** Stands for a member that is left out. */
const LEFT_OUT = Symbol('left out');
type Members = Readonly<Record<string, unknown>>;

/** A copy of an object in which one member, which may stand in an inner object, has a value. */
function changed(object: Members, [name = '', ...inner]: readonly string[], value: unknown): Members {
  const { [name]: before, ...others } = object;
  if (inner.length > 0) return { ...others, [name]: changed((before ?? {}) as Members, inner, value) };
  return value === LEFT_OUT ? others : { ...others, [name]: value };
}

interface Case {
  described: Described;
  member: Member;
}

const nameOf = ({ method, path }: Described): string => `${method} ${path}`;
const casesOf = (wanted: (member: Member) => boolean): Case[] =>
  operations
    .filter((described) => nameOf(described) in good)
    .flatMap((described) =>
      membersOf(described)
        .filter(wanted)
        .map((member) => ({ described, member })),
    );

/** Makes the good request in which a member will have another value. */
async function goodFor({ described, member: { path, kind } }: Case): Promise<Good> {
  const request = await good[nameOf(described)]?.(path.join('.'), kind);
  if (request === undefined) throw new Error(`${nameOf(described)} has no good request`);
  return request;
}

const unused = new Map<string, Good>();
/** One that is still good where everything so far was refused: the same for all members that it may be the same for. */
async function goodForRefusal(one: Case): Promise<Good> {
  const { described, member } = one;
  const isOfMember = (good[nameOf(described)]?.length ?? 0) > 0;
  const key = [nameOf(described), member.kind, ...(isOfMember ? member.path : [])].join(' ');
  const request = unused.get(key) ?? (await goodFor(one));
  unused.set(key, request);
  return request;
}

/** What an operation answers to a good request with another value for one member. */
async function answerTo({ described, member: { where, path } }: Case, value: unknown, request: Good): Promise<Answer> {
  const { url, headers, query = {}, body } = request;
  const asked = where === 'query' ? changed(query, path, value) : query;
  const parameters = Object.entries(asked).flatMap(([name, values]) =>
    [values].flat().map((one) => [name, String(one)]),
  );
  const sent = where === 'body' ? changed(body ?? {}, path, value) : body;
  return server.call(
    described.method as Parameters<TestApp['call']>[0],
    `${url}?${new URLSearchParams(parameters).toString()}`,
    {
      headers: { ...headers, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(sent === undefined ? {} : { payload: jsonOf(sent) }),
    },
  );
}

/** What is compared of two answers: of a refusal its code and words, of a success the names and types in its body. */
function outcomeOf(answer: Answer): unknown {
  const isJson = String(answer.headers['content-type']).startsWith('application/json');
  const body: unknown = isJson ? answer.json() : '';
  const { errorCode, message } = Object(body);
  return answer.statusCode < 400 ? [answer.statusCode, shapeOf(body)] : [answer.statusCode, errorCode, message];
}

/** Whether an answer is 400 and says which member is wrong. */
const isNamed = ({ path }: Member, answer: Answer): boolean =>
  answer.statusCode === 400 &&
  answer.json<{ errors: string[] }>().errors.some((error) => error.startsWith(`${path.join('.')}: `));

const tell = ({ described, member: { path, kind = '' } }: Case, value: unknown, answer: Answer): string =>
  `${nameOf(described)} ${kind} ${path.join('.')} ${value === LEFT_OUT ? 'left out' : jsonOf(value).slice(0, 60)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`;

/** Which take one of two members: without the one of the good request they refuse, and so they do for a blank one. */
const NEEDS_ONE = new Set(['PUT /v2/sso/contact']);

const BLANKS = ['', '   '];
/** Blanks are one and the same once they are trimmed: every member is given one of them, and in a soak both. */
const SHARES = repetitions({ short: 2, soak: 1 });
/** Null, where it is no value of its own, and what is as much as nothing. */
const emptyValues = ({ where, schema }: Member, place: number) => {
  const blanks = BLANKS.filter((_, index) => (index + place) % SHARES === 0);
  return where === 'query' || schema.nullable === true ? blanks : [null, ...blanks];
};

it('each operation with something optional has a good request here', () => {
  const isOptional = ({ isRequired }: Member) => !isRequired;
  const missing = operations.filter((one) => membersOf(one).some(isOptional) && !(nameOf(one) in good));
  expect(missing.map(nameOf)).toEqual([]);
  const known = new Set(operations.map(nameOf));
  expect(Object.keys(good).filter((name) => !known.has(name))).toEqual([]);
});

it('an optional member or parameter that is null, empty or only blanks is as one that is left out', async () => {
  const cases = casesOf(({ isRequired }) => !isRequired);
  const complaints: string[] = [];
  for (const [place, one] of cases.entries()) {
    const absent = await answerTo(one, LEFT_OUT, await goodFor(one));
    const fine = NEEDS_ONE.has(nameOf(one.described)) ? [200, 400] : [200, 201, 202, 409];
    if (!fine.includes(absent.statusCode)) complaints.push(tell(one, LEFT_OUT, absent));
    for (const value of emptyValues(one.member, place)) {
      const answer = await answerTo(one, value, await goodFor(one));
      if (!isDeepStrictEqual(outcomeOf(answer), outcomeOf(absent))) complaints.push(tell(one, value, answer));
    }
  }
  expect(complaints).toEqual([]);
  expect(cases.length).toBeGreaterThan(150);
});

it('a required member or parameter that is null, empty or only blanks is 400, and is named', async () => {
  const cases = casesOf(({ isRequired, schema }) => isRequired && schema.nullable !== true);
  const complaints: string[] = [];
  for (const [place, one] of cases.entries()) {
    for (const value of emptyValues(one.member, place)) {
      const answer = await answerTo(one, value, await goodForRefusal(one));
      if (!isNamed(one.member, answer)) complaints.push(tell(one, value, answer));
    }
  }
  expect(complaints).toEqual([]);
  expect(cases.length).toBeGreaterThan(60);
});

/** What cannot be read of these falls back, as in Spring, or says only how a page looks. */
const lenient = new Set(['page', 'size', 'sort', 'with']);

it('a member or parameter of another type, or that its description does not allow, is 400, and is named', async () => {
  const complaints: string[] = [];
  for (const one of casesOf(({ path }) => !lenient.has(path.join('.')))) {
    for (const value of unfitValues(one.member)) {
      const answer = await answerTo(one, value, await goodForRefusal(one));
      if (!isNamed(one.member, answer)) complaints.push(tell(one, value, answer));
    }
  }
  expect(complaints).toEqual([]);
});
