import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listSplits } from '#modules/terminals';
import { exactListOf, numberKey, pagedBy } from '#wire/paging.ts';
import { splitShape, toSplit } from '#wire/split.ts';
import { terminalHeader, terminalOf } from './shapes.ts';

const pages = pagedBy('splits', numberKey);

export function getTerminalSplits(app: ZodApp, deps: DepsOf<typeof listSplits>): void {
  app.get(
    '/terminal/splits',
    {
      schema: {
        tags: ['Terminals'],
        operationId: 'listSplits',
        summary: 'Splits of a terminal, newest first',
        security: partnerOnly,
        headers: terminalHeader,
        querystring: pages.query,
        response: { 200: exactListOf(splitShape).meta({ id: 'SplitList' }), ...failuresFor('TERMINAL_NOT_FOUND') },
      },
    },
    async (request) => {
      const found = await listSplits(deps, { terminal: terminalOf(request), ...request.query });
      return pages.page(found, request.query, toSplit);
    },
  );
}
