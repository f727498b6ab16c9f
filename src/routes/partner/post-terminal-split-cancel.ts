import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { cancelSplit } from '#modules/terminals';
import { splitShape, toSplit } from '#wire/split.ts';
import { splitParams, terminalHeader, terminalOf } from './shapes.ts';

export function postTerminalSplitCancel(app: ZodApp, deps: DepsOf<typeof cancelSplit>): void {
  app.post(
    '/terminal/split/:split/cancel',
    {
      schema: {
        tags: ['Terminals', 'Extension'],
        operationId: 'cancelSplit',
        summary: 'Cancel a split of which nothing is paid',
        security: partnerOnly,
        headers: terminalHeader,
        params: splitParams,
        response: { 200: splitShape, ...failuresFor('SPLIT_NOT_FOUND', 'TERMINAL_NOT_FOUND', 'SPLIT_NOT_CANCELLABLE') },
      },
    },
    async (request) =>
      toSplit(await cancelSplit(deps, { terminal: terminalOf(request), reference: request.params.split })),
  );
}
