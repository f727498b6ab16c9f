import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { REFERENCES, sendDocsPage } from './docs-page.ts';
import { GUIDES } from './guides.ts';

/** Where everything is. */
export function getDocs(app: ZodApp): void {
  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    const list = (items: readonly { path: string; title: string; about: string }[]) =>
      html`<ul class="list">${items.map(({ path, title, about }) => html`<li><a href="${path}">${title}</a> <span>${about}</span></li>`)}</ul>`;
    const [forCallers, ...forOthers] = GUIDES.map(
      ({ group, guides }) => html`<h2>${group}</h2>
${list(guides.map((guide) => ({ ...guide, path: `/docs/${guide.name}` })))}`,
    );
    const references = Object.entries(REFERENCES).map(([name, about]) => ({
      ...about,
      path: `/docs/reference/${name}`,
    }));
    const body = html`<h1>PayTag documentation</h1>
<p>A PayTag is a readable payment handle. These pages are for developers who build on it, and for those who run the server. New here? Begin with <a href="/docs/partners">partners</a>: its commands run as written against <code>npm start</code>.</p>
${forCallers}
<h2>Reference</h2>
${list(references)}
<p>Postman and Bruno import the same documents, <a href="/v2/openapi.json">/v2/openapi.json</a> and <a href="/api/openapi.json">/api/openapi.json</a>, as collections. Credentials of the demo stand in <code>.data/demo.json</code>, on the machine that runs it.</p>
${forOthers}`;
    return sendDocsPage(reply, { title: 'Documentation', body });
  });
}
