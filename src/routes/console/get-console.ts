import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import { html } from '#lib/html.ts';
import { sendConsolePage } from './look/layout.ts';
import { head } from './look/parts.ts';
import { overviewOf } from './overview.ts';
import { CONSOLE } from './session.ts';

/** Whether anything is wrong now. */
export function getConsole(app: ZodApp, { clock }: { clock: Clock }): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const overview = await overviewOf(request, clock.now());
    return sendConsolePage(reply, 200, { title: 'Overview', at: CONSOLE, body: html`${head('Overview')}${overview}` });
  });
}
