import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { zuma, zumaEnv } from '../../support/brand/brand.ts';
import { type Operation, readDocument } from '../../support/described.ts';
import { blocksOf, documentAt } from '../../support/documents.ts';

const server = useApp(zumaEnv);

describe('200', () => {
  it.each([
    'partners',
    'sso',
    'switch',
    'webhooks',
    'errors',
    'operate',
    'observe',
    'operate/suspense-aging',
    'decisions/docs',
    'configuration',
    'decisions',
  ])('shows %s, and each of its links to a heading or another guide arrives', async (guide) => {
    const answer = await server.call('GET', `/docs/${guide}`);
    expect(answer.statusCode).toBe(200);
    const page = answer.body;
    expect(page.match(/<h1 /g)).toHaveLength(1);
    const links = [...answer.body.matchAll(/href="([^"#]*)(?:#([^"]+))?"/g)].filter(
      ([, path = '']) => !/^(https?|mailto):/.test(path),
    );
    const astray: string[] = [];
    for (const [link, path = '', anchor] of links) {
      const target = path === '' ? answer : await server.call('GET', path);
      if (target.statusCode !== 200) astray.push(link);
      if (anchor !== undefined && !target.body.includes(` id="${anchor}"`)) astray.push(link);
    }
    expect(astray).toEqual([]);
  });
});

it('the answers that the guide of the partners shows are the examples of its reference', async () => {
  const { paths } = await readDocument(server, '/v2/openapi.json');
  const exampleOf = (operation: Operation | undefined) =>
    operation?.responses['200']?.content?.['application/json']?.example;
  const wallet = paths['/v2/partner/wallet/{reference}']?.['get'];
  const credit = paths['/v2/partner/wallet/{reference}/credit']?.['post'];
  const shown = blocksOf(documentAt('src/docs/partners.md'), 'json').map((block) => JSON.parse(block) as unknown);
  expect(shown).toEqual([wallet, credit].map(exampleOf));
});

it('404 for a guide that there is not, and for what is no guide', async () => {
  for (const name of ['nothing', '..%2Fapp.ts', 'tables', 'operate/nothing', 'operate/..%2Foperate']) {
    const answer = await server.call('GET', `/docs/${name}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ errorCode: 'ROUTE_NOT_FOUND' });
  }
});

it('each guide shows whose it is, in their colour', async () => {
  const branded = await server.call('GET', '/docs/partners');
  expect(branded.body).toContain('<title>Partners – Zuma');
  expect(branded.body).toContain(`<a class="brand" href="/docs"><img src="data:image/`);
  expect(branded.body).toContain(`--accent: ${zuma.colours.accent};`);
  expect(branded.headers['content-security-policy']).toContain('img-src data:');
});
