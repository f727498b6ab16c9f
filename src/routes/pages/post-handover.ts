import { z } from 'zod';
import { assertFormIsOurs } from '#http/pages.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { html, name } from '#lib/html.ts';
import { verbatim } from '#lib/text/input.ts';
import { takeLink } from '#modules/clients';
import { refuseHandover } from './get-handover.ts';
import { sendPage } from './page.ts';
import { sealedBody } from './portal.ts';

type Deps = DepsOf<typeof takeLink> & DepsOf<typeof assertFormIsOurs>;

const body = sealedBody.extend({ token: verbatim(z.string().max(100)) });

/** Uses the link of a letter: the address is proven, or the secret is shown, this once. */
export function postHandover(app: ZodApp, deps: Deps): void {
  app.post('/handover', { errorHandler: refuseHandover, schema: { hide: true, body } }, async (request, reply) => {
    const { form: seal, token } = request.body;
    assertFormIsOurs(deps, { subject: `handover:${token}`, seal, headers: request.headers });
    const { kind, facts, secret } = await takeLink(deps, token);
    const owner = name(facts.ownerName);
    return sendPage(reply, 200, (t) => ({
      title: t.text(`handover.${kind}.title`),
      body: html`<h1>${t.text(`handover.${kind}.title`)}</h1>
<p>${t.html(`handover.${kind}.done`, { owner })}</p>
${secret !== undefined && html`<p class="panel"><code>${secret}</code></p><p class="note">${t.text('handover.once')}</p>`}`,
    }));
  });
}
