import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { sendConsolePage } from './look/layout.ts';
import { head, sentence } from './look/parts.ts';
import { sealedBody } from './sealed-body.ts';
import { search } from './search.ts';
import { assertConsoleForm, type SessionDeps } from './session.ts';

const body = sealedBody.extend({ q: z.string().max(300) });

/** Goes where something belongs. It is asked for in a body: a phone or a BVN stands in no address. */
export function postSearch(app: ZodApp, deps: SessionDeps): void {
  app.post('/search', { schema: { hide: true, body } }, async (request, reply) => {
    const { form, q } = request.body;
    assertConsoleForm(deps, request, form);
    const { found, refusal } = await search(request, q);
    const [only, another] = found;
    if (only !== undefined && another === undefined) return reply.redirect(only.address, 303);
    const nothing = refusal === undefined ? 'Nothing found' : 'Not looked for';
    const shown =
      refusal !== undefined
        ? html`<div class="panel alert" role="alert"><p>${sentence(refusal)}</p></div>`
        : found.length === 0
          ? html`<div class="none"><p>Nothing has this as its reference, tag, account number, phone, BVN or id.</p></div>`
          : html`<ul>${found.map(({ what, called, address }) => html`<li>${what} <a href="${address}"><bdi>${called}</bdi></a></li>`)}</ul>`;
    return sendConsolePage(reply, 200, {
      title: 'Found',
      body: html`${head(found.length === 0 ? nothing : 'Found')}${shown}`,
    });
  });
}
