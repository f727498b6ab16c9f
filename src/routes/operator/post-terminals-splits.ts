import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { createSplit } from '#modules/terminals';
import { splitBody, splitShape, toSplit } from '#wire/split.ts';
import { optionalReason, text } from '#wire/text.ts';

export function postTerminalsSplits(app: ZodApp, deps: DepsOf<typeof createSplit>): void {
  app.post(
    '/terminals/:serialNumber/splits',
    {
      schema: {
        operationId: 'createSplit',
        summary: 'Ask for a payment at a terminal, to be paid in instalments',
        params: z.object({ serialNumber: text(100) }),
        body: splitBody.extend({ reason: optionalReason }),
        response: { 201: splitShape, ...failuresFor('TERMINAL_NOT_FOUND', 'REFERENCE_REUSED') },
      },
    },
    async (request, reply) => {
      const { serialNumber } = request.params;
      const actor = request.actor;
      const split = await createSplit(deps, { ...request.body, terminal: { serialNumber }, actor });
      reply.code(201);
      return toSplit(split);
    },
  );
}
