import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { refusalOf } from '../../support/operator-refusals.ts';

const server = useApp();
const routes = new URL('../../../src/routes/operator/', import.meta.url);
const tests = new URL('./', import.meta.url);

const textOf = (folder: URL, file: string): string =>
  existsSync(new URL(file, folder)) ? readFileSync(new URL(file, folder), 'utf8') : '';

/** Every operation of the operator API, as its route file names it, and the statuses it says it answers. */
const operations = readdirSync(routes).flatMap((file) => {
  const source = textOf(routes, file);
  const [, method = '', path = ''] = /app\.(get|post|patch|delete)\(\s*'([^']+)'/.exec(source) ?? [];
  if (path === '') return [];
  const [, refusals = ''] = /failuresFor\(([^)]*)\)/.exec(source) ?? [];
  const [, success = ''] = /response: \{\s*(\d{3}):/.exec(source) ?? [];
  return [{ file, method: method.toUpperCase() as 'GET', path, statuses: [success, ...refusals.split(/,\s*/)] }];
});

it('finds the operations', () => {
  expect(operations.length).toBeGreaterThan(40);
  for (const { method, path, statuses } of operations) {
    expect(server.app.hasRoute({ method, url: `/operator/v1${path}` })).toBe(true);
    for (const status of statuses) expect(status).toMatch(/^\d{3}$/);
  }
});

it.each(operations)('$file has a test file with a block for each status it answers', ({ file, statuses }) => {
  const [name] = file.split('.');
  const text = textOf(tests, `${name}.test.ts`) + textOf(tests, `${name}-refused.test.ts`);
  const told = [...text.matchAll(/^describe\('(\d{3})/gm)].map(([, status]) => status);
  if (text.includes('\nrefuseAllButOperator(')) told.push('401');
  expect(statuses.filter((status) => !told.includes(status))).toEqual([]);
});

describe('401', () => {
  it.each(operations)('$method $path: a partner’s key is not the operator’s token', async ({ method, path }) => {
    const url = `/operator/v1${path.replaceAll(/:\w+/g, 'something')}`;
    const partner = await server.newPartner();
    const authorization = `Bearer ${partner.apiKey}`;
    for (const headers of [{}, { authorization, ...partner.headers }]) {
      expect(refusalOf(await server.call(method, url, { headers }))).toEqual([401, 'INVALID_CREDENTIALS']);
    }
  });
});
