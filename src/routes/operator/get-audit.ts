import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listChanges } from '#modules/audit';
import { momentIn } from '#wire/moment.ts';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { auditEntryShape, toAuditEntry } from './shapes/audit-entry.ts';

const pages = pagedBy('audit', numberKey);

const query = pages.query.extend({
  actor: optional(text(200)).meta({
    description:
      'operator:{id}, operator:root, partner:{id}, application:{id}, cli or system; operator for entries older than operators',
  }),
  action: optional(text(100)).meta({ description: 'As wallet.change' }),
  target: optional(text(200)).meta({ description: 'What was changed, by its id or reference' }),
  requestId: optional(text(128)).meta({ description: 'X-Request-Id of the request that made the change' }),
  from: optional(momentIn).meta({ description: 'It was written then or later' }),
  to: optional(momentIn).meta({ description: 'It was written before' }),
});

export function getAudit(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/audit',
    {
      schema: {
        operationId: 'listAuditRecords',
        summary: 'What was changed, by whom, when and why, newest first',
        querystring: query,
        response: { 200: listOf(auditEntryShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listChanges(db, request.query));
      return pages.page(found, request.query, toAuditEntry);
    },
  );
}
