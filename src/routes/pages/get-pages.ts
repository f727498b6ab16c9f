import { prefersHtml } from '#http/negotiation.ts';
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
    const body = html`<h1>A payment-identity and wallet server</h1>
<p>A person owns a PayTag, a readable payment handle. Partners open wallets for them, and applications reach them by it.</p>
<p class="note">Version ${version}, environment ${environment}.</p>
<section><h2>For developers</h2>
<ul>
<li><a href="/docs">Documentation</a></li>
<li><a href="/docs/reference/partner">Reference of the partner and SSO API</a></li>
<li><a href="/docs/reference/switch">Reference of the switch</a></li>
</ul></section>`;
    return sendPage(reply, 200, { title: 'Welcome', body });
  });
}
