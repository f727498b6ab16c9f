import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listMessages } from '#modules/inbox';
import { momentIn } from '#wire/moment.ts';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, reference, text } from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';
import { messageKind, messageShape, messageState, toMessage } from './shapes/message.ts';

const list = listOrFile('inbox', pagedBy('inbox', uuidKey), messageShape);

const query = list.query.extend({
  provider: optional(text(50)),
  state: optional(messageState),
  kind: optional(messageKind),
  reference: optional(reference).meta({ description: 'Of the transfer or the payment that it tells of' }),
  from: optional(momentIn).meta({ description: 'Received at this time or later' }),
  to: optional(momentIn).meta({ description: 'Received at this time or before' }),
});

export function getInbox(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listMessages>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/inbox',
    {
      schema: {
        operationId: 'listInbox',
        summary: 'What providers told us, and what has become of it, newest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listMessages({ ...deps, db }, { ...asked, ...page })),
        toItem: toMessage,
      });
    },
  );
}
