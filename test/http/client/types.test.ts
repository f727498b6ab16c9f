import { expect, it } from 'vitest';
import { operationsOf, written } from '../../../src/docs/operator-operations/operations-of.ts';
import type { OperatorDocument } from '../../../src/docs/operator-operations/schema.ts';
import { memberPermissions, permissions } from '../../../src/routes/operator/permissions.ts';
import { useSharedApp } from '../../support/app.ts';
import { readDocument } from '../../support/described.ts';
import { clientTypesOf } from '../../support/generators.ts';

const server = useSharedApp();

it.each([
  ['partner', '/v2/openapi.json', '/v2'],
  ['switch', '/api/openapi.json', '/api'],
] as const)(
  'src/client/schema/%s.d.ts says what the OpenAPI document says (else: npm run client:types)',
  async (name, url, base) => {
    const types = await clientTypesOf(await readDocument(server, url), base);
    await expect(types).toMatchFileSnapshot(`../../../src/client/schema/${name}.d.ts`);
  },
);

it('src/wire/operator-operations.json says what the operator’s OpenAPI document says (else: npm run client:types)', async () => {
  const document = (await readDocument(server, '/operator/v1/openapi.json')) as OperatorDocument;
  const list = written(operationsOf(document, permissions, memberPermissions));
  await expect(list).toMatchFileSnapshot('../../../src/wire/operator-operations.json');
});
