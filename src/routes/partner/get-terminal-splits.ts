import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listSplits } from '#modules/terminals';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { splitShape, toSplit } from '#wire/split.ts';
import { terminalHeader, terminalOf } from './shapes.ts';

export function getTerminalSplits(app: ZodApp, deps: DepsOf<typeof listSplits>): void {
  app.get(
    '/terminal/splits',
    {
      schema: {
        tags: ['Terminals'],
        summary: 'Splits of a terminal, newest first',
        security: partnerOnly,
        headers: terminalHeader,
        querystring: paging,
        response: { 200: listOf(splitShape).meta({ id: 'SplitList' }), ...failuresFor(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const found = await listSplits(deps, { terminal: terminalOf(request), ...request.query });
      return pageOf(found, request.query, toSplit);
    },
  );
}
