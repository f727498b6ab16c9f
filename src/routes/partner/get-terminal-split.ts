import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getSplit } from '#modules/terminals';
import { splitShape, toSplit } from '#wire/split.ts';
import { splitParams, terminalHeader, terminalOf } from './shapes.ts';

export function getTerminalSplit(app: ZodApp, deps: DepsOf<typeof getSplit>): void {
  app.get(
    '/terminal/split/:split',
    {
      schema: {
        tags: ['Terminals'],
        operationId: 'getSplit',
        summary: 'A split of a terminal, by its reference',
        security: partnerOnly,
        headers: terminalHeader,
        params: splitParams,
        response: { 200: splitShape, ...failuresFor('SPLIT_NOT_FOUND', 'TERMINAL_NOT_FOUND') },
      },
    },
    async (request) =>
      toSplit(await getSplit(deps, { terminal: terminalOf(request), reference: request.params.split })),
  );
}
