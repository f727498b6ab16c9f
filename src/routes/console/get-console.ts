import type { ZodApp } from '#http/zod-app.ts';
import { operationNamed } from './catalogue/operations.ts';
import { sendConsolePage } from './look/layout.ts';
import { overviewPage } from './pages/overview.ts';
import { asking } from './reads/shown.ts';
import { CONSOLE, visitorOf } from './session.ts';

/** Whether anything is wrong now. */
export function getConsole(app: ZodApp): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const ask = asking(request);
    const { columns = [] } = operationNamed('getOverview') ?? {};
    const answer = await ask('getOverview', {});
    const page = await overviewPage({ visitor: visitorOf(request), ask, columns, answer });
    return sendConsolePage(reply, 200, { ...page, at: CONSOLE });
  });
}
