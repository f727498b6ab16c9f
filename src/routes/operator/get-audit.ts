import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { listChanges } from '#modules/audit';
import { momentIn, momentOut } from '#wire/moment.ts';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional, text } from '#wire/text.ts';

const pages = pagedBy('audit', numberKey);

const query = pages.query.extend({
  actor: optional(text(200)).meta({
    description:
      'operator:{id}, operator:root, partner:{id}, application:{id}, cli or system; operator for entries older than operators',
  }),
  action: optional(text(100)).meta({ description: 'As wallet.change' }),
  target: optional(text(200)).meta({ description: 'What was changed, by its id or reference' }),
  from: optional(momentIn).meta({ description: 'It was written then or later' }),
  to: optional(momentIn).meta({ description: 'It was written before' }),
});

const state = personal(z.record(z.string(), z.unknown()), 'record').optional();

const entry = z.object({
  id: z.int(),
  at: momentOut,
  actor: z.string().meta({ example: 'operator:01997a3c-5d1e-7b3f-8a2c-4e6f8091a2b3 Ngozi Eze' }),
  action: z.string().meta({ example: 'wallet.change' }),
  target: z.string().meta({ example: 'PW-7' }),
  before: state.meta({ example: { status: 'Enabled' } }),
  after: state.meta({ example: { status: 'PND' } }),
  reason: personal(z.string(), 'prose').optional(),
});

export function getAudit(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/audit',
    {
      schema: {
        operationId: 'listAuditRecords',
        summary: 'What was changed, by whom, when and why, newest first',
        querystring: query,
        response: { 200: listOf(entry) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => listChanges(db, request.query));
      return pages.page(found, request.query, toEntry);
    },
  );
}

type Item = Awaited<ReturnType<typeof listChanges>>['items'][number];

const toEntry = ({ at, before, after, reason, ...item }: Item): z.input<typeof entry> => ({
  ...item,
  at: at.toISOString(),
  before: before ?? undefined,
  after: after ?? undefined,
  reason: reason ?? undefined,
});
