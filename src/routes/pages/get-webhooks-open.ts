import { z } from 'zod';
import { sealForm } from '#http/pages.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { html, name } from '#lib/html.ts';
import { verbatim } from '#lib/text/input.ts';
import { openPortalLink } from '#modules/clients';
import { sendPage } from './page.ts';
import { moment, refusePortal, sealField } from './portal.ts';

type Deps = DepsOf<typeof openPortalLink> & DepsOf<typeof sealForm>;

/** What the link of a portal opens: a form that brings the token to us once more, in a body, so that no address holds it. */
export function getWebhooksOpen(app: ZodApp, deps: Deps): void {
  const schema = { hide: true, params: z.object({ token: verbatim(z.string()) }) };
  app.get('/webhooks/open/:token', { errorHandler: refusePortal, schema }, async (request, reply) => {
    const { token } = request.params;
    const { partner, expiresAt } = await openPortalLink(deps, token);
    const seal = sealForm(deps, `webhooks link:${token}`);
    return sendPage(reply, 200, (t) => ({
      title: t.text('portal.open.title', { partner: partner.name }),
      body: html`<h1>${t.html('portal.open.title', { partner: name(partner.name) })}</h1>
<p>${t.html('portal.open.text', { partner: name(partner.name), until: moment(t, expiresAt) })}</p>
<form method="post" action="/webhooks/open">${sealField({ seal })}<input type="hidden" name="token" value="${token}">
<div class="buttons"><button class="main">${t.text('portal.open.button')}</button></div></form>`,
    }));
  });
}
