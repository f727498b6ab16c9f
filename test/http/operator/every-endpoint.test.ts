import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { operationsOf, readDocument } from '../../support/described.ts';

const server = useSharedApp();
const routes = new URL('../../../src/routes/operator/', import.meta.url);
const tests = new URL('./', import.meta.url);

const textOf = (folder: URL, file: string): string =>
  existsSync(new URL(file, folder)) ? readFileSync(new URL(file, folder), 'utf8') : '';

const files = readdirSync(routes).filter((name) => name.endsWith('.ts'));
/** Every operation of the operator API, as its route file names it, and the statuses it says it answers. */
const operations = files.flatMap((file) => {
  const endpoint = textOf(routes, file);
  const [, shared = ''] = /from '\.\/([\w-]+-action\.ts)'/.exec(endpoint) ?? [];
  const source = endpoint + (shared === '' ? '' : textOf(routes, shared));
  const [, method = '', path = ''] = /app\.(get|post|patch|delete)\(\s*'([^']+)'/.exec(source) ?? [];
  if (path === '') return [];
  return [{ file, method: method.toUpperCase(), path: `/operator/v1${path.replaceAll(/:(\w+)/g, '{$1}')}` }];
});

/** What every operation of its kind refuses, tested for all of them together. */
const alike = new Set([
  'BAD_REQUEST',
  'MALFORMED_JSON',
  'INVALID_CREDENTIALS',
  'KEY_ENVIRONMENT_MISMATCH',
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
  'PERIOD_ARCHIVED', // on an archive: test/db/ledger/archive.test.ts
]);
/** Said of what is read from the path or of the key alone, where nothing else is asked for. */
const isOfItsOwn = (code: string, hasInput: boolean): boolean =>
  !alike.has(code) && (code !== 'INVALID_PARAMETER' || hasInput);

it('each operation has a test file with a block for each status it answers, but for those that all answer alike', async () => {
  const document = await readDocument(server, '/operator/v1/openapi.json');
  const described = operationsOf(document);
  expect(operations).toHaveLength(described.length);
  for (const { file, method, path } of operations) {
    const one = described.find((operation) => operation.method === method && operation.path === path);
    const { parameters = [], requestBody, responses = {} } = one?.operation ?? {};
    const hasInput = requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query');
    const statuses = Object.entries(responses)
      .filter(([status, { content }]) => {
        const codes = Object.keys(content?.['application/json']?.examples ?? {});
        return status < '300' || codes.some((code) => isOfItsOwn(code, hasInput));
      })
      .map(([status]) => status);
    const [name] = file.split('.');
    const text = textOf(tests, `${name}.test.ts`) + textOf(tests, `${name}-refused.test.ts`);
    const tested = [...text.matchAll(/^describe\('(\d{3})/gm)].map(([, status]) => status);
    const untested = statuses.filter((status) => status !== '202' && !tested.includes(status));
    expect([file, untested]).toEqual([file, []]);
  }
});
