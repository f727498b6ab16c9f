import { createRequire } from 'node:module';
import type OpenApi from 'openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { errorTable, type Surface } from '#errors';
import type { ErrorCode } from '#lib/domain-error.ts';
import { eventNames } from '#wire/event-names.ts';
import { pendingReason } from '#wire/transaction.ts';
import { useSharedApp } from '../../support/app.ts';
import {
  type Described,
  type Document,
  describedAnswers,
  documentUrls,
  type Media,
  type Operation,
  operationsOf,
  readDocument,
  schemasOf,
} from '../../support/described.ts';
import { refusalOf } from '../../support/refusals.ts';

describe('the documents', () => {
  // It is CommonJS with a default export, which Node and the test runner import differently.
  const { default: OpenApiSchemaValidator }: typeof OpenApi = createRequire(import.meta.url)(
    'openapi-schema-validator',
  );

  const server = useSharedApp();

  const documents = [
    ['/v2/openapi.json', '/v2', ['clientId', 'apiKey', 'customer', 'application']],
    ['/api/openapi.json', '/api', ['application']],
    ['/operator/v1/openapi.json', '/operator/v1', ['operator']],
  ] as const;

  it('covers every document', () => {
    expect(documents.map(([url]) => url)).toEqual(documentUrls);
  });

  describe.each(documents)('%s', (url, prefix, schemes) => {
    const read = () => readDocument(server, url);

    it('is OpenAPI 3.0.3, description version 1.0.0, and defines whatever it refers to', async () => {
      const document = await read();
      expect(document).toMatchObject({ openapi: '3.0.3', info: { version: '1.0.0' } });
      expect(Object.keys(document.components.securitySchemes)).toEqual(schemes);
      const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
      expect(references.length).toBeGreaterThan(0);
      for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
    });

    it('is valid to an independent validator', async () => {
      const validator = new OpenApiSchemaValidator({ version: 3 });
      const document = await read();
      expect(validator.validate(document as never).errors).toEqual([]);
      const broken = structuredClone(document);
      for (const { operation } of operationsOf(broken)) Object.assign(operation, { responses: 'none' });
      expect(validator.validate(broken as never).errors).not.toEqual([]);
    });

    it('describes every route under its prefix, with what it can refuse, and closes no object', async () => {
      const document = await read();
      const described = operationsOf(document);
      const app = server.app;
      expect(described.length).toBeGreaterThan(2);
      for (const { method, path, operation } of described) {
        expect(path.startsWith(prefix)).toBe(true);
        expect(app.hasRoute({ method: method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(true);
        expect(operation.responses).toHaveProperty('503');
        expect(operation.summary).toMatch(/^[A-Z].{10}/);
      }
      expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
    });

    it('names every operation once, as a verb and what it is done to, and says who may call it', async () => {
      const described = operationsOf(await read());
      const names = described.map(({ operation }) => operation.operationId);
      expect(new Set(names).size).toBe(names.length);
      for (const { operation } of described) {
        expect(operation.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
        expect(operation.description).toMatch(/^Needs (no|an?|the) .+\.$/s);
      }
    });

    it('says where it is served, where each credential comes from, and what each tag is about', async () => {
      const document = await read();
      expect(document.servers).toMatchObject([{ url: 'http://localhost:3000' }]);
      const described = [...Object.values(document.components.securitySchemes), ...document.tags];
      for (const one of described) expect(one).toMatchObject({ description: expect.stringMatching(/^[A-Z].{10}/) });
      const used = operationsOf(document).flatMap(({ operation }) => operation.tags ?? []);
      expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
    });

    it('shows an example of every body and every JSON answer, and each is as its schema says', async () => {
      const document = await read();
      const compile = schemasOf(document);
      const shown = operationsOf(document).flatMap(({ method, path, operation }) =>
        mediaOf(operation).map((media) => ({ where: `${method} ${path}`, ...media })),
      );
      expect(shown.length).toBeGreaterThan(2);
      for (const { where, schema, example } of shown) {
        const validate = compile(schema);
        expect({ where, example, valid: validate(example), errors: validate.errors }).toMatchObject({ valid: true });
      }
    });

    it('shows no example and no default anywhere that is not as its schema says', async () => {
      const document = await read();
      const compile = schemasOf(document);
      const shown = [...examplesIn(document)];
      expect(shown.length).toBeGreaterThan(100);
      for (const { schema, value } of shown) {
        const validate = compile(schema);
        expect({ schema, value, valid: validate(value), errors: validate.errors }).toMatchObject({ valid: true });
      }
    });
  });

  it('describes every event under x-webhooks once, with an example that is as its schema says', async () => {
    const described = await Promise.all(
      (['/v2/openapi.json', '/api/openapi.json'] as const).map(async (url) => {
        const document = await readDocument(server, url);
        const compile = schemasOf(document);
        return Object.entries(document['x-webhooks'] ?? {}).map(([name, { post }]) => {
          const { schema } = post.requestBody?.content['application/json'] ?? { schema: {} };
          const { example } = schema as { example?: { event: string } };
          const validate = compile(schema);
          expect({ name, valid: validate(example), errors: validate.errors }).toMatchObject({ name, valid: true });
          expect(post).toMatchObject({ operationId: name, description: expect.stringMatching(/^To .+\.$/) });
          expect(post.parameters?.map((header) => header.name)).toEqual(
            expect.arrayContaining(['R-Signature', 'webhook-id']),
          );
          return example?.event;
        });
      }),
    );
    expect(described.flat()).toEqual(eventNames);
  });

  it('shows a wallet whose balances add up, and that is not revoked', async () => {
    const { paths } = await readDocument(server, '/v2/openapi.json');
    const shown = paths['/v2/partner/wallet/{reference}']?.['get']?.responses['200']?.content?.['application/json'];
    const { RevokedAt, Reference, Wallet } = Object(shown?.example) as {
      [member: string]: unknown;
      Wallet: Record<string, number>;
    };
    const { TotalAmount = 0, SuspendedAmount = 0, BlockedAmount = 0, AvailableAmount } = Wallet;
    expect([RevokedAt, Reference]).toEqual([null, expect.stringMatching(/^PW-[0-9a-f]{32}$/)]);
    expect(AvailableAmount).toBe(TotalAmount - SuspendedAmount - BlockedAmount);
  });

  /** The bodies and the successful JSON answers of an operation. */
  function mediaOf({ requestBody, responses }: Operation): Media[] {
    const successes = Object.entries(responses).flatMap(([status, { content }]) => (status < '3' ? [content] : []));
    return [requestBody?.content, ...successes].flatMap((content) =>
      Object.entries(content ?? {}).flatMap(([type, media]) => (type === 'application/json' ? [media] : [])),
    );
  }

  /** Every example and default in a document: of a schema, or of what has one, as a header. */
  function* examplesIn(node: unknown): Generator<{ schema: object; value: unknown }> {
    if (typeof node !== 'object' || node === null) return;
    const {
      schema = node,
      example,
      default: fallback,
    } = node as { schema?: object; example?: unknown; default?: unknown };
    for (const value of [example, fallback]) if (value !== undefined) yield { schema, value };
    for (const [name, inner] of Object.entries(node)) {
      if (name !== 'example' && name !== 'examples' && name !== 'default') yield* examplesIn(inner);
    }
  }

  /** The operations under /api of the contract; whatever else there is, is ours. */
  const contract = [
    'GET /api/v1/consent/{consentToken}',
    'GET /api/v1/tags/{tag}',
    'GET /api/v1/tags/{tag}/claims',
    'GET /api/v1/transactions/pending',
    'GET /api/v1/wallet',
    'POST /api/v1/applications',
    'POST /api/v1/auth/token',
    'POST /api/v1/consent/{consentToken}/approve',
    'POST /api/v1/subjects',
    'POST /api/v1/tags',
    'POST /api/v1/tags/{tag}/federation',
    'POST /api/v1/transactions',
  ];

  it('marks as an Extension what the contract of the switch and of application identity does not have, and only that', async () => {
    const described = operationsOf((await server.call('GET', '/api/openapi.json')).json<Document>());
    const unmarked = described.filter(({ operation }) => !operation.tags?.includes('Extension'));
    expect(unmarked.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(contract);
  });

  it.each(['/v2/openapi.json', '/api/openapi.json'])(
    '%s shows each operation under a subject, which says what it is about',
    async (path) => {
      const document = (await server.call('GET', path)).json<Document>();
      const subjects = document.tags.filter(({ name, description }) => name !== 'Extension' && description !== '');
      const first = operationsOf(document).map(({ operation }) => operation.tags?.[0]);
      expect(new Set(first)).toEqual(new Set(subjects.map(({ name }) => name)));
    },
  );

  it('documents Idempotency-Key where it is honoured, and only there', async () => {
    const { paths } = (await server.call('GET', '/v2/openapi.json')).json<Document>();
    const hasKey = (operation: Operation | undefined) =>
      operation?.parameters?.some(({ name }) => name === 'idempotency-key') ?? false;
    expect(hasKey(paths['/v2/partner/wallet']?.['post'])).toBe(true);
    expect(hasKey(paths['/v2/sso/auth-code']?.['post'])).toBe(false);
    expect(hasKey(paths['/v2/sso/wallet']?.['get'])).toBe(false);
  });

  it('marks the whole operator API as an extension, behind an operator’s token and a role', async () => {
    const described = operationsOf(await readDocument(server, '/operator/v1/openapi.json'));
    for (const { operation } of described) {
      expect(operation).toMatchObject({ tags: ['Extension'], security: [{ operator: [] }] });
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '429', '503']));
    }
  });

  it('answers the operator’s document to the operator alone', async () => {
    const partner = await server.newPartner();
    for (const headers of [{}, { authorization: 'Bearer wrong' }, partner.headers]) {
      const answer = await server.call('GET', '/operator/v1/openapi.json', { headers });
      expect(refusalOf(answer)).toEqual([401, 'INVALID_CREDENTIALS']);
      expect(answer.body).not.toContain('paths');
    }
    const answer = await server.operate('GET', '/openapi.json');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  });

  it('marks each operation of the webhook self-service as an extension', async () => {
    const document = (await server.call('GET', '/v2/openapi.json')).json<Document>();
    const hooks = operationsOf(document).filter(({ path }) => path.startsWith('/v2/partner/webhook'));
    expect(hooks).toHaveLength(21);
    for (const { operation } of hooks) expect(operation.tags).toEqual(['Webhook endpoints', 'Extension']);
  });
});

describe('the error codes of the documents', () => {
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
          expect([where, String(errorTable[code].status)]).toEqual([where, status]);
        }
      }
    });

    it('names no code of which the errors guide says that it is met elsewhere', async () => {
      for (const described of operationsOf(await readDocument(server, url))) {
        const allowed = surfaces.find(([path]) => path.test(described.path))?.[1] ?? [];
        const astray = refusalsOf(described)
          .flatMap(({ codes }) => codes)
          .filter((code) => !errorTable[code].where.some((one) => one === 'Every API' || allowed.includes(one)));
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
    const unnamed = (Object.keys(errorTable) as ErrorCode[]).filter(
      (code) =>
        !named.has(code) &&
        !reasonsToWait.includes(code) &&
        errorTable[code].where.some((one) => !['Every API', 'Pages', 'Hooks'].includes(one)),
    );
    expect(unnamed).toEqual([]);
  });

  it('what the documents show of a request that is not valid is what such a request is told', async () => {
    const partner = await server.newPartner();
    const document = await readDocument(server, '/v2/openapi.json');
    const shown = operationsOf(document)
      .flatMap(refusalsOf)
      .find(({ where }) => where === 'POST /v2/partner/wallet/{reference}/credit 400')?.examples['INVALID_PARAMETER'];
    const answer = await server.call('POST', '/v2/partner/wallet/PW-1/credit', {
      headers: partner.headers,
      payload: {},
    });
    const { message, errors: lines } = answer.json<{ message: string; errors: string[] }>();
    expect({ message, errors: lines }).toEqual({ message: shown?.['message'], errors: shown?.['errors'] });
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
});
