import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp();
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

it.each(operations)(
  '$file has a test file with a block for each status it answers, but for 401, which all answer alike',
  ({ file, statuses }) => {
    const [name] = file.split('.');
    const text = textOf(tests, `${name}.test.ts`) + textOf(tests, `${name}-refused.test.ts`);
    const tested = [...text.matchAll(/^describe\('(\d{3})/gm)].map(([, status]) => status);
    expect(statuses.filter((status) => status !== '401' && !tested.includes(status))).toEqual([]);
  },
);
