import type { ZodApp } from '#http/zod-app.ts';
import { html } from '#lib/html.ts';
import { nameOfAction } from './catalogue/offers.ts';
import { labelOf, shortOf } from './catalogue/words.ts';
import { addressOf, operationsByNoun, sendConsolePage } from './look/layout.ts';
import { head } from './look/parts.ts';
import { CONSOLE, visitorOf } from './session.ts';

/** Every operation that the operator's role allows, by subject. */
export function getOperations(app: ZodApp): void {
  app.get('/operations', { schema: { hide: true } }, async (request, reply) => {
    const groups = operationsByNoun(visitorOf(request)).map(
      ([noun, operations]) =>
        html`<section><h2>${labelOf(noun)}</h2><ul>${operations.map(
          (operation) =>
            html`<li><a href="${addressOf(operation)}">${nameOfAction(operation)}</a>: ${shortOf(operation.summary)}</li>`,
        )}</ul></section>`,
    );
    const body = html`${head('All operations', { lead: 'Everything that you may see and do. The operator API and the command line have the same.' })}${groups}`;
    return sendConsolePage(reply, 200, { title: 'All operations', at: `${CONSOLE}/operations`, body });
  });
}
