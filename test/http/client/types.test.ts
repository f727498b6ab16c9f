import { expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { clientTypesOf } from '../../support/client-types.ts';
import { readDocument } from '../../support/described.ts';

const server = useApp();

it.each([
  ['partner', '/v2/openapi.json', '/v2'],
  ['switch', '/api/openapi.json', '/api'],
] as const)(
  'src/client/schema/%s.d.ts says what the OpenAPI document says (else: npm run client:types)',
  async (name, url, base) => {
    const types = await clientTypesOf(await readDocument(server.app, url), base);
    await expect(types).toMatchFileSnapshot(`../../../src/client/schema/${name}.d.ts`);
  },
);
