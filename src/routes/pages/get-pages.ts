import { prefersHtml } from '#http/headers.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { version } from '../../version.ts';
import { sendPage } from './page.ts';

/** What this server is, and where to go: a page for a browser, JSON for a program. */
export function getPages(app: ZodApp, { environment, publicUrl }: { environment: string; publicUrl: string }): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    if (!prefersHtml(request.headers.accept)) {
      return {
        name: 'PayTag',
        version,
        environment,
        documentation: `${publicUrl}/docs`,
        openapi: { partner: `${publicUrl}/v2/openapi.json`, switch: `${publicUrl}/api/openapi.json` },
        oauth: `${publicUrl}/.well-known/oauth-authorization-server`,
      };
    }
    return sendPage(reply, 200, (t) => ({
      title: t.text('home.title'),
      body: html`<h1>${t.text('home.heading')}</h1>
<p>${t.text('home.about')}</p>
<p class="note">${t.text('home.version', { version, environment })}</p>
<section><h2>${t.text('home.developers')}</h2>
<ul>
<li><a href="/docs">${t.text('home.documentation')}</a></li>
${
  environment !== 'live' &&
  html`<li><a href="/docs/sandbox">${t.text('home.sandbox')}</a></li>
`
}<li><a href="/docs/reference/partner">${t.text('home.partnerReference')}</a></li>
<li><a href="/docs/reference/switch">${t.text('home.switchReference')}</a></li>
</ul></section>`,
    }));
  });
}
