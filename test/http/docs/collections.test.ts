import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COLLECTIONS } from '../../../src/routes/docs/references.ts';
import { useSharedApp } from '../../support/app.ts';
import { collections } from '../../support/collections.ts';
import { operationsOf, readDocument } from '../../support/described.ts';

const server = useSharedApp();

const written = async () => {
  const partner = await readDocument(server, '/v2/openapi.json');
  const application = await readDocument(server, '/api/openapi.json');
  return { partner, application, files: collections(partner, application) };
};

it('src/docs/collections holds the requests of the OpenAPI documents (else: npm run collections)', async () => {
  const { files } = await written();
  for (const [name, content] of Object.entries(files)) {
    await expect(content).toMatchFileSnapshot(`../../../src/docs/collections/${name}`);
  }
  expect(readdirSync('src/docs/collections').toSorted()).toEqual(COLLECTIONS.map(({ file }) => file).toSorted());
});

interface Item {
  name: string;
  item?: Item[];
  items?: Item[];
  request?: { url: unknown; body?: { raw?: string; json?: string } };
}
const requestsIn = ({ item = [], items = [] }: Partial<Item>): Item[] =>
  [...item, ...items].flatMap((one) => (one.request === undefined ? requestsIn(one) : [one]));

it('each collection has every operation once, with variables that its environment has and bodies that are JSON', async () => {
  const { partner, application, files } = await written();
  const environment = JSON.parse(files['sandbox.postman_environment.json'] ?? '') as { values: { key: string }[] };
  const known = new Set(environment.values.map(({ key }) => key));
  for (const [name, document] of Object.entries({ partner, switch: application })) {
    const names = operationsOf(document).map(({ operation }) => operation.operationId ?? '');
    for (const file of [`${name}.postman_collection.json`, `${name}.bruno.json`]) {
      const text = files[file] ?? '';
      const requests = requestsIn(JSON.parse(text) as Item);
      expect(requests.map((one) => one.name).toSorted()).toEqual(names.toSorted());
      const used = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, variable = '']) => variable);
      expect(used.filter((variable) => !known.has(variable))).toEqual([]);
      for (const { request } of requests) {
        const { raw = '{}', json = raw } = request?.body ?? {};
        expect(JSON.parse(json)).toBeTypeOf('object');
      }
    }
  }
});

it('serves each file as a download, and no other', async () => {
  for (const { file } of COLLECTIONS) {
    const answer = await server.call('GET', `/docs/collections/${file}`);
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([200, `attachment; filename="${file}"`]);
  }
  expect((await server.call('GET', '/docs/collections/..%2F..%2Fapp.ts')).statusCode).toBe(400);
});
