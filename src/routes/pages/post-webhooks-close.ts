import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { html } from '#lib/html.ts';
import { closePortal } from '#modules/clients';
import { sendPage } from './page.ts';
import { enterByForm, type PortalDeps, refusePortal, sealedBody, sessionCookie } from './portal.ts';

/** Ends the session, with its link, and takes it away from the browser. */
export function postWebhooksClose(app: ZodApp, deps: PortalDeps & DepsOf<typeof closePortal>): void {
  const schema = { hide: true, body: sealedBody };
  app.post('/webhooks/close', { errorHandler: refusePortal, schema }, async (request, reply) => {
    const { session } = await enterByForm(deps, request);
    await closePortal(deps, session);
    reply.header('set-cookie', sessionCookie(deps.publicUrl));
    return sendPage(reply, 200, (t) => ({
      title: t.text('portal.closed.title'),
      body: html`<h1>${t.text('portal.closed.title')}</h1><p>${t.text('portal.closed.text')}</p>`,
    }));
  });
}
