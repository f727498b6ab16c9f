import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';

const server = useSharedApp();
const linksOf = (body: string) => [...body.matchAll(/href="([^"#]+)/g)].map(([, href]) => String(href));

describe('200', () => {
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
