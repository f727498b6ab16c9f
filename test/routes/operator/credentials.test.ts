import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp();
const folder = new URL('../../../src/routes/operator/', import.meta.url);
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Every operation of the operator API, as its route files name it. */
const operations = readdirSync(folder).flatMap((file) => {
  const source = readFileSync(new URL(file, folder), 'utf8');
  const [, method = '', path = ''] = /app\.(get|post|patch|delete)\(\s*'([^']+)'/.exec(source) ?? [];
  return path === '' ? [] : [{ method: method.toUpperCase() as Method, path }];
});

describe('401', () => {
  it('finds the operations to ask', () => {
    expect(operations.length).toBeGreaterThan(25);
    for (const { method, path } of operations) {
      expect(server.app.hasRoute({ method, url: `/operator/v1${path}` })).toBe(true);
    }
  });

  it.each(operations)(
    'asks $method $path for the operator token: without one, with a wrong one, with a partner’s key',
    async ({ method, path }) => {
      const url = `/operator/v1${path.replaceAll(/:\w+/g, 'something')}`;
      const partner = await server.newPartner();
      const callers = [
        {},
        { authorization: 'Bearer wrong' },
        { authorization: `Bearer ${partner.apiKey}`, ...partner.headers },
      ];
      for (const headers of callers) {
        const answer = await server.call(method, url, { headers });
        expect(answer.statusCode).toBe(401);
        expect(answer.json()).toMatchObject({ success: false, errorCode: 'INVALID_CREDENTIALS' });
      }
    },
  );
});
