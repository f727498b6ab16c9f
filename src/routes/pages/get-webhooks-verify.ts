import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { type Page, sendPage } from './page.ts';
import { enter, type PortalDeps, portalPage, refusePortal, type Visitor, whose } from './portal.ts';

type Deps = PortalDeps & { webhooks: { sourceAddresses: readonly string[] } };

const steps = ['step1', 'step2', 'step3', 'step4', 'step5'] as const;
const causes = ['body', 'key', 'proxy'] as const;

/** How to verify what arrives, and what to look at when that fails. */
export function getWebhooksVerify(app: ZodApp, deps: Deps): void {
  app.get('/webhooks/verify', { errorHandler: refusePortal, schema: { hide: true } }, async (request, reply) => {
    const visitor = await enter(deps, request);
    const page = verifyPage(visitor, deps.webhooks.sourceAddresses);
    return sendPage(reply, 200, portalPage(visitor, { tab: 'verify' }, page));
  });
}

const verifyPage =
  (visitor: Visitor, addresses: readonly string[]): Page =>
  (t) => {
    const title = t.text('portal.verify.title');
    return {
      title,
      body: html`<h1>${title}</h1>${whose(t, visitor)}
<p>${t.text('portal.verify.text')}</p>
<ol>${steps.map((step) => html`<li>${t.text(`portal.verify.${step}`)}</li>`)}</ol>
<p class="pages"><a href="/docs/webhooks#verify">${t.text('portal.verify.guide')}</a></p>
<section><h2>${t.text('portal.verify.wrong')}</h2>
<ul>${causes.map((cause) => html`<li>${t.text(`portal.verify.wrong.${cause}`)}</li>`)}</ul></section>
<section><h2>${t.text('portal.verify.addresses')}</h2>
${addresses.length === 0 ? html`<p>${t.text('portal.verify.addresses.none')}</p>` : html`<ul>${addresses.map((address) => html`<li><bdi>${address}</bdi></li>`)}</ul>`}</section>`,
    };
  };
