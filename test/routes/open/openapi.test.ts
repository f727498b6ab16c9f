import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';

const server = useApp();

interface Operation {
  security?: unknown[];
  parameters?: { name: string; in: string }[];
  responses: Record<string, unknown>;
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

const documents = [
  ['/v2/openapi.json', '/v2', ['clientId', 'apiKey', 'customer']],
  ['/api/openapi.json', '/api', ['application']],
] as const;

describe.each(documents)('%s', (url, prefix, schemes) => {
  const read = async () => (await server.call('GET', url)).json<Document>();

  it('is OpenAPI 3.0.3, description version 1.0.0, and defines whatever it refers to', async () => {
    const document = await read();
    expect(document).toMatchObject({ openapi: '3.0.3', info: { version: '1.0.0' } });
    expect(Object.keys(document.components.securitySchemes)).toEqual(schemes);
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
  });

  it('describes every route under its prefix, with what it can refuse, and closes no object', async () => {
    const document = await read();
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(described.length).toBeGreaterThan(2);
    for (const route of described) {
      const [method, path = ''] = route.split(' ');
      expect(path.startsWith(prefix)).toBe(true);
      expect(server.app.hasRoute({ method: method as 'GET', url: path })).toBe(true);
    }
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
    for (const operations of Object.values(document.paths)) {
      for (const { responses } of Object.values(operations)) expect(responses).toHaveProperty('503');
    }
  });
});

it('documents Idempotency-Key where it is honoured, and only there', async () => {
  const { paths } = (await server.call('GET', '/v2/openapi.json')).json<Document>();
  const hasKey = (operation: Operation | undefined) =>
    operation?.parameters?.some(({ name }) => name === 'idempotency-key') ?? false;
  expect(hasKey(paths['/v2/partner/wallet']?.['post'])).toBe(true);
  expect(hasKey(paths['/v2/sso/auth-code']?.['post'])).toBe(false);
  expect(hasKey(paths['/v2/sso/wallet']?.['get'])).toBe(false);
});
