import { describe, expect, it } from 'vitest';
import { errorStatus } from '#http/error-status.ts';
import type { ErrorCode } from '#lib/error-codes.ts';
import { pendingReason } from '#wire/transaction.ts';
import { errorMeanings, type Surface } from '../../../src/docs/error-meanings/index.ts';
import { useSharedApp } from '../../support/app.ts';
import {
  type Described,
  type Document,
  describedAnswers,
  documentUrls,
  operationsOf,
  readDocument,
  schemasOf,
} from '../../support/described.ts';

const server = useSharedApp();

/** Our own receivers of test events answer it when they are asked to. It is no refusal. */
const RECEIVER_THAT_FAILS = '500';
/** Why money waits: read in a transaction, never a refusal since. */
const reasonsToWait: readonly string[] = pendingReason.options;

interface Example {
  $ref?: string;
  value?: Record<string, unknown>;
}
interface Refusal {
  where: string;
  status: string;
  codes: ErrorCode[];
  examples: Record<string, Record<string, unknown>>;
}

const exampleIn = (document: Document, { $ref, value }: Example) =>
  $ref === undefined ? value : document.components.examples?.[$ref.split('/').pop() ?? '']?.value;

/** Every refusal that a document has for an operation, with the error codes it names. */
const refusalsOf = ({ method, path, operation, document }: Described): Refusal[] =>
  Object.entries(operation.responses)
    .filter(([status]) => status >= '400' && status !== RECEIVER_THAT_FAILS)
    .map(([status, { content }]) => {
      const { schema = {}, examples = {} } = content?.['application/json'] ?? {};
      const [, own] = (schema as { allOf?: { properties?: { errorCode: { enum: ErrorCode[] } } }[] }).allOf ?? [];
      const shown = Object.entries(examples as Record<string, Example>);
      return {
        where: `${method} ${path} ${status}`,
        status,
        codes: own?.properties?.errorCode.enum ?? [],
        examples: Object.fromEntries(shown.map(([code, example]) => [code, exampleIn(document, example) ?? {}])),
      };
    });

const surfaces: readonly [path: RegExp, surfaces: readonly Surface[]][] = [
  [/^\/v2\/partner/, ['Partner']],
  [/^\/v2\/sso/, ['SSO']],
  [/^\/v2\/sandbox/, ['Partner', 'SSO', 'Switch', 'Operator']],
  [/^\/api/, ['Switch', 'Identity', 'Pages']],
  [/^\/operator/, ['Operator']],
];

describe.each(documentUrls)('%s', (url) => {
  it('names the error codes of each refusal, and shows each of them as it is answered', async () => {
    const document = await readDocument(server, url);
    const validate = schemasOf(document)({ $ref: '#/components/schemas/Failure' });
    const refusals = operationsOf(document).flatMap(refusalsOf);
    expect(refusals.length).toBeGreaterThan(100);
    for (const { where, status, codes, examples } of refusals) {
      expect({ where, shown: Object.keys(examples) }).toEqual({ where, shown: codes });
      expect({ where, codes }).not.toEqual({ where, codes: [] });
      for (const code of codes) {
        const example = examples[code];
        expect({ where, valid: validate(example), errors: validate.errors }).toMatchObject({ where, valid: true });
        expect(example).toMatchObject({ errorCode: code, message: expect.stringMatching(/^.{8}/) });
        expect(Object.hasOwn(example ?? {}, 'data')).toBe(url.startsWith('/api'));
        expect([where, String(errorStatus[code])]).toEqual([where, status]);
      }
    }
  });

  it('names no code of which the errors guide says that it is met elsewhere', async () => {
    for (const described of operationsOf(await readDocument(server, url))) {
      const allowed = surfaces.find(([path]) => path.test(described.path))?.[1] ?? [];
      const astray = refusalsOf(described)
        .flatMap(({ codes }) => codes)
        .filter((code) => !errorMeanings[code].where.some((one) => one === 'Every API' || allowed.includes(one)));
      expect([described.operation.operationId, astray]).toEqual([described.operation.operationId, []]);
    }
  });
});

it('each code that the errors guide places at an API is one that an operation of that API names', async () => {
  const documents = await Promise.all(documentUrls.map((url) => readDocument(server, url)));
  const named = new Set(
    documents
      .flatMap(operationsOf)
      .flatMap(refusalsOf)
      .flatMap(({ codes }) => codes),
  );
  const unnamed = (Object.keys(errorMeanings) as ErrorCode[]).filter(
    (code) =>
      !named.has(code) &&
      !reasonsToWait.includes(code) &&
      errorMeanings[code].where.some((one) => !['Every API', 'Pages', 'Hooks'].includes(one)),
  );
  expect(unnamed).toEqual([]);
});

it('what the documents show of a request that is not valid is what such a request is told', async () => {
  const partner = await server.newPartner();
  const document = await readDocument(server, '/v2/openapi.json');
  const shown = operationsOf(document)
    .flatMap(refusalsOf)
    .find(({ where }) => where === 'POST /v2/partner/wallet/{reference}/credit 400')?.examples['INVALID_PARAMETER'];
  const answer = await server.call('POST', '/v2/partner/wallet/PW-1/credit', { headers: partner.headers, payload: {} });
  const { message, errors } = answer.json<{ message: string; errors: string[] }>();
  expect({ message, errors }).toEqual({ message: shown?.['message'], errors: shown?.['errors'] });
});

it('an answer with an error code that its operation does not name fails the test that sees it', async () => {
  const partner = await server.newPartner();
  const url = '/v2/partner/float';
  const assertDescribed = await describedAnswers(server);
  const refused = await server.app.inject({ method: 'GET', url, headers: { 'x-client-id': partner.clientId } });
  assertDescribed('GET', url, refused);
  const body = refused.body.replace('INVALID_CREDENTIALS', 'INVALID_CLIENT');
  const spoilt = { statusCode: refused.statusCode, headers: refused.headers, body };
  expect(() => assertDescribed('GET', url, spoilt as typeof refused)).toThrow('errorCode');
});
