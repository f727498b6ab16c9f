import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { sendPage } from './page.ts';
import { enterByForm, type PortalDeps, refusePortal, sealedBody, sessionCookie } from './portal.ts';

/** Takes the session away from the browser. */
export function postWebhooksClose(app: ZodApp, deps: PortalDeps): void {
  const schema = { hide: true, body: sealedBody };
  app.post('/webhooks/close', { errorHandler: refusePortal, schema }, async (request, reply) => {
    await enterByForm(deps, request);
    reply.header('set-cookie', sessionCookie(deps.publicUrl));
    return sendPage(reply, 200, (t) => ({
      title: t.text('portal.closed.title'),
      body: html`<h1>${t.text('portal.closed.title')}</h1><p>${t.text('portal.closed.text')}</p>`,
    }));
  });
}
