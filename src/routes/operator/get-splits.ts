import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findSplits } from '#modules/terminals';
import { momentIn } from '#wire/moment.ts';
import { amountInQuery } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { optional, reference, text } from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';
import { foundSplitShape, splitStatus, toFoundSplit } from './shapes/terminal.ts';

const list = listOrFile('splits', pagedBy('splits', numberKey), foundSplitShape);

const query = list.query.extend({
  terminal: optional(text(100)).meta({ description: 'Serial number of the terminal' }),
  partnerId: optional(z.uuid()),
  reference: optional(reference),
  status: optional(splitStatus),
  amountFrom: optional(amountInQuery).meta({ description: 'What is asked for is this or more' }),
  amountTo: optional(amountInQuery).meta({ description: 'What is asked for is this or less' }),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
});

export function getSplits(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findSplits>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/splits',
    {
      schema: {
        operationId: 'listSplits',
        summary: 'Find splits by terminal, partner, reference, status, amount or time, newest first',
        querystring: query,
        response: { 200: list.response, ...failuresFor('TERMINAL_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findSplits({ ...deps, db }, { ...asked, ...page })),
        toItem: toFoundSplit,
      });
    },
  );
}
