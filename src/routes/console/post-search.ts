import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { operationNamed } from './catalogue/operations.ts';
import type { Members } from './catalogue/things.ts';
import { labelOf } from './catalogue/words.ts';
import { sendConsolePage } from './look/layout.ts';
import { chosenOf, head, refusal } from './look/parts.ts';
import { table } from './look/table.ts';
import { askApi, assertConsoleForm, CONSOLE, type SessionDeps, sealedBody, visitorOf } from './session.ts';

const body = sealedBody.extend({ q: z.string().max(300) });

/** Goes where something belongs. It is asked for in a body: a phone or a BVN stands in no address. */
export function postSearch(app: ZodApp, deps: SessionDeps): void {
  app.post('/search', { schema: { hide: true, body } }, async (request, reply) => {
    const { form, q } = request.body;
    assertConsoleForm(deps, request, form);
    const answer = await askApi(request, { method: 'POST', path: '/search', body: { q } });
    if (answer.status !== 200) {
      const what = html`${head('Not looked for')}${refusal(answer)}`;
      return sendConsolePage(reply, answer.status, { title: 'Not looked for', body: what });
    }
    const found = (answer.body as { items: { kind: string; title: string; where: string }[] }).items;
    const [only, another] = found;
    if (only !== undefined && another === undefined) return reply.redirect(`${CONSOLE}${only.where}`, 303);
    const title = only === undefined ? 'Nothing found' : 'Found';
    const shown =
      only === undefined
        ? html`<div class="none"><p>Nothing has this as its reference, tag, account number, phone, BVN or id. No partner and no application has a name that begins so.</p></div>`
        : table(visitorOf(request), {
            columns: chosenOf(operationNamed('searchRecords')?.columns, ['title', 'kind']),
            items: found.map((one) => ({ ...one, kind: labelOf(one.kind) })),
            label: title,
            addressOf: ({ where }: Members) => `${CONSOLE}${String(where)}`,
          });
    return sendConsolePage(reply, 200, {
      title,
      body: html`${head(title, { lead: only === undefined ? undefined : 'It may be any of these.' })}${shown}`,
    });
  });
}
