import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { createSplit } from '#modules/terminals';
import type { Resources } from '../../resources.ts';
import { splitBody, splitShape, terminalHeader, terminalOf, toSplit } from './terminal-split.ts';

export function postTerminalSplit(app: ZodApp, resources: Resources): void {
  app.post(
    '/terminal/split',
    {
      schema: {
        tags: ['Extension'],
        summary: 'Ask for a payment at a terminal, to be paid in instalments',
        security: partnerOnly,
        headers: terminalHeader,
        body: splitBody,
        response: { 200: splitShape, ...failuresFor(400, 401, 403, 404, 409) },
      },
    },
    async (request) => toSplit(await createSplit(resources, { ...request.body, terminal: terminalOf(request) })),
  );
}
