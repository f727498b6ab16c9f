import { readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useApp, useSharedApp } from '../../support/app.ts';
import { zuma, zumaEnv } from '../../support/brand/brand.ts';
import { type Operation, readDocument } from '../../support/described.ts';
import { blocksOf, documentAt } from '../../support/documents.ts';
import { refusalOf } from '../../support/refusals.ts';

describe('GET /docs', () => {
  const server = useSharedApp();
  const linksOf = (body: string) => [...body.matchAll(/href="([^"#]+)/g)].map(([, href]) => String(href));

  it('leads to every guide of src/docs and to both references, and every address there answers', async () => {
    const answer = await server.call('GET', '/docs');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const links = new Set(linksOf(answer.body));
    const guides = readdirSync('src/docs').filter((file) => file.endsWith('.md'));
    expect(guides.length).toBeGreaterThan(8);
    for (const guide of guides) expect(links).toContain(`/docs/${guide.replace('.md', '')}`);
    for (const link of links) expect([link, (await server.call('GET', link)).statusCode]).toEqual([link, 200]);
  });

  it('loads nothing and runs nothing', async () => {
    const { headers, body } = await server.call('GET', '/docs');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*style-src 'sha256-[\w+/]+=+'$/);
    expect(body).not.toContain('<script');
  });
});

describe('GET /docs/{guide}', () => {
  const server = useApp(zumaEnv);

  it.each([
    'partners',
    'sso',
    'switch',
    'webhooks',
    'partner-events',
    'security-events',
    'errors',
    'operate',
    'deploy',
    'money',
    'customers',
    'incidents',
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
      expect(refusalOf(await server.call('GET', `/docs/${name}`))).toEqual([404, 'ROUTE_NOT_FOUND']);
    }
  });

  it('each guide shows whose it is, in their colour', async () => {
    const branded = await server.call('GET', '/docs/partners');
    expect(branded.body).toContain('<title>Partners – Zuma');
    expect(branded.body).toContain(`<a class="brand" href="/docs"><img src="data:image/`);
    expect(branded.body).toContain(`--accent: ${zuma.colours.accent};`);
    expect(branded.headers['content-security-policy']).toContain('img-src data:');
  });
});

describe('GET /docs/reference', () => {
  const server = useSharedApp();

  it.each([
    ['partner', '/v2/openapi.json'],
    ['switch', '/api/openapi.json'],
  ])('200: the reference of %s is drawn from its own document, by scripts of ours alone', async (api, document) => {
    const answer = await server.call('GET', `/docs/reference/${api}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain(`data-document="${document}"`);
    expect((await server.call('GET', document)).statusCode).toBe(200);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; ");
    for (const [, script] of answer.body.matchAll(/src="([^"]+)"/g))
      expect(script).toMatch(/^\/docs\/reference\/scripts\//);
  });

  it('400 for an API that has no reference', async () => {
    const answer = await server.call('GET', '/docs/reference/operator');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [expect.stringContaining('api')] });
  });
});

describe('the scripts of the reference', () => {
  const server = useSharedApp();

  it('200: Scalar, compressed, and the few lines that start it', async () => {
    const scalar = await server.call('GET', '/docs/reference/scripts/scalar.js');
    expect(scalar.statusCode).toBe(200);
    expect(scalar.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(gunzipSync(scalar.rawPayload).toString()).toContain('createApiReference');
    const start = await server.call('GET', '/docs/reference/scripts/start.js');
    expect(start.statusCode).toBe(200);
    expect(start.body).toContain('Scalar.createApiReference');
  });

  it('400 for another script', async () => {
    expect((await server.call('GET', '/docs/reference/scripts/other.js')).statusCode).toBe(400);
  });
});
