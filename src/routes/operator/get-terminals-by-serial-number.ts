import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { readTerminal } from '#modules/terminals';
import { text } from '#wire/text.ts';
import { foundSplitShape, terminalShape, toFoundSplit, toTerminal } from './shapes/terminal.ts';

const shape = terminalShape.extend({
  splits: z.array(foundSplitShape).meta({ description: 'The newest first, a hundred at most' }),
});

export function getTerminalsBySerialNumber(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readTerminal>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/terminals/:serialNumber',
    {
      schema: {
        operationId: 'getTerminal',
        summary: 'A terminal, with its newest splits',
        params: z.object({ serialNumber: text(100) }),
        response: { 200: shape, ...failuresFor('TERMINAL_NOT_FOUND') },
      },
    },
    async ({ actor, params: { serialNumber } }) => {
      const { splits, ...terminal } = await readLong(actor, async (db) => readTerminal({ ...deps, db }, serialNumber));
      return { ...toTerminal(terminal), splits: splits.map(toFoundSplit) };
    },
  );
}
