import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createSplit } from '#modules/terminals';
import { splitBody, splitShape, toSplit } from '#wire/split.ts';
import { terminalHeader, terminalOf } from './shapes.ts';

export function postTerminalSplit(app: ZodApp, deps: DepsOf<typeof createSplit>): void {
  app.post(
    '/terminal/split',
    {
      schema: {
        tags: ['Terminals', 'Extension'],
        operationId: 'createSplit',
        summary: 'Ask for a payment at a terminal, to be paid in instalments',
        security: partnerOnly,
        headers: terminalHeader,
        body: splitBody,
        response: { 200: splitShape, ...failuresFor('TERMINAL_NOT_FOUND', 'REFERENCE_REUSED') },
      },
    },
    async (request) => toSplit(await createSplit(deps, { ...request.body, terminal: terminalOf(request) })),
  );
}
