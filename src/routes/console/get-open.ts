import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { exampleText } from './actions/action-form.ts';
import { filled, namesIn, operationNamed, parametersIn } from './catalogue/operations.ts';
import { labelOf, thingIn } from './catalogue/words.ts';
import { addressOf, assertMay, sendConsolePage, sendNothingHere } from './look/layout.ts';
import { head } from './look/parts.ts';
import { queryOf, typeOf } from './reads/filter-form.ts';
import { titleOfList } from './reads/list-page.ts';
import { CONSOLE, visitorOf } from './session.ts';

/** Asks which thing to open, where no list has it: by its id, its name or its day. */
export function getOpen(app: ZodApp): void {
  app.get(
    '/open/:operation',
    { schema: { hide: true, params: z.object({ operation: z.string() }) } },
    async (request, reply) => {
      const operation = operationNamed(request.params.operation);
      if (operation === undefined || operation.method !== 'GET') return sendNothingHere(reply);
      assertMay(visitorOf(request), operation);
      const query = queryOf(request.query);
      const there = filled(operation.path, query);
      if (there !== undefined) return reply.redirect(`${CONSOLE}${there}`, 303);
      const title = operation.list
        ? titleOfList(operation, { known: {}, visitor: visitorOf(request) })
        : thingIn(operation);
      const known = new Map(parametersIn(operation, 'path').map((parameter) => [parameter.name, parameter]));
      const fields = namesIn(operation.path).map((name) => {
        const { values, kind = 'text', description, example } = known.get(name) ?? {};
        const hint = description ?? exampleText(example);
        const described = hint !== undefined && html` aria-describedby="o-${name}-hint"`;
        const control =
          values === undefined
            ? html`<input id="o-${name}" name="${name}" value="${query[name] ?? ''}"${typeOf({ kind })}${described} required autocomplete="off" spellcheck="false">`
            : html`<select id="o-${name}" name="${name}"${described}>${values.map((value) => html`<option>${value}</option>`)}</select>`;
        return html`<div class="field"><label for="o-${name}">${labelOf(name)}</label>${control}${hint !== undefined && html`<p class="hint" id="o-${name}-hint">${hint}</p>`}</div>`;
      });
      const body = html`${head(title, { lead: `${operation.summary}.` })}<form class="form" method="get" action="${CONSOLE}/open/${operation.operationId}">${fields}<div class="buttons"><button class="main">Open</button></div></form>`;
      return sendConsolePage(reply, 200, { title, at: addressOf(operation), body });
    },
  );
}
