import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { listDisputes } from '#modules/disputes';
import { momentIn } from '#wire/moment.ts';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';
import { disputeShape, disputeState, toDispute } from './shapes/dispute.ts';
import { transactionId } from './shapes/params.ts';

const list = listOrFile('disputes', pagedBy('disputes', uuidKey), disputeShape);

const query = list.query.extend({
  partnerId: optional(z.uuid()).meta({ description: 'Whose the wallet is that received the money' }),
  transactionId: optional(transactionId).meta({
    type: 'integer',
    minimum: 1,
    description: 'About which transaction',
  }),
  state: optional(disputeState),
  dueBefore: optional(momentIn).meta({ description: 'To be answered at this time or before' }),
  from: optional(momentIn).meta({ description: 'Opened at this time or later' }),
  to: optional(momentIn).meta({ description: 'Opened at this time or before' }),
});

export function getDisputes(
  app: ZodApp,
  { readLong, keyring, securityLog }: { readLong: ReadLong; keyring: Keyring; securityLog: SecurityLog },
): void {
  app.get(
    '/disputes',
    {
      schema: {
        operationId: 'listDisputes',
        summary: 'Disputes, newest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) =>
          readLong(request.actor, (db) => listDisputes({ db, keyring, securityLog }, { ...asked, ...page })),
        toItem: toDispute,
      });
    },
  );
}
