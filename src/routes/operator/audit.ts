import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listChanges } from '#modules/audit';
import { findKeyedRequests, type KeyedRequest } from '#modules/idempotency';
import { momentIn, momentOut } from '#wire/moment.ts';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { personal } from '#wire/personal.ts';
import { optional, text } from '#wire/text.ts';

const state = personal(z.record(z.string(), z.unknown()), 'record').optional();

/** A change that somebody made. */
const auditEntryShape = z.object({
  id: z.int(),
  at: momentOut,
  actor: z.string().meta({ example: 'operator:01997a3c-5d1e-7b3f-8a2c-4e6f8091a2b3 Ngozi Eze' }),
  action: z.string().meta({ example: 'wallet.change' }),
  target: z.string().meta({ example: 'PW-7' }),
  before: state.meta({ example: { status: 'Enabled' } }),
  after: state.meta({ example: { status: 'PND' } }),
  reason: personal(z.string(), 'prose').optional(),
  requestId: z.string().optional().meta({ description: 'X-Request-Id of the request that made the change' }),
});

type Item = Awaited<ReturnType<typeof listChanges>>['items'][number];

/** A change, as it is answered. */
const toAuditEntry = ({ at, before, after, reason, requestId, ...item }: Item): z.input<typeof auditEntryShape> => ({
  ...item,
  at: at.toISOString(),
  before: before ?? undefined,
  after: after ?? undefined,
  reason: reason ?? undefined,
  requestId: requestId ?? undefined,
});

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

const params = z.object({
  requestId: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be an X-Request-Id')
    .meta({ description: 'X-Request-Id of its answer, and requestId of a refusal' }),
});

const kept = z.object({
  requestId: z.string(),
  says: z.string().meta({ description: 'Where else to look', example: 'the log has more, under requestId=r-1' }),
  changes: z.array(auditEntryShape).meta({ description: 'What it changed, newest first, a hundred at most' }),
  answers: z
    .array(
      z.object({
        method: z.string().meta({ example: 'POST' }),
        path: z.string().meta({
          description: 'As its route says it, without the values that stood in it',
          example: '/v2/partner/wallet/:reference/credit',
        }),
        caller: z.string().meta({ description: 'partner:{id}, application:{id} or operator:{id}' }),
        at: momentOut,
        statusCode: z.int().optional().meta({ description: 'Left out of one that is not over, or did not end' }),
      }),
    )
    .meta({ description: 'What it was answered, if it came with an Idempotency-Key in the last 24 hours' }),
});

export function getRequests(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/requests/:requestId',
    {
      schema: {
        operationId: 'getRequest',
        summary: 'What is kept of a request: what it changed, and what it was answered',
        description:
          'Of changes for ever; of requests with an Idempotency-Key for 24 hours, with the id of the first under that key. Other requests are in the log alone. Callers may choose the id, and choose it twice.',
        params,
        response: { 200: kept },
      },
    },
    async ({ actor, params: { requestId } }) =>
      toKept(await readLong(actor, async (db) => readRequestKept(db, requestId))),
  );
}

const toKept = (found: KeptOfRequest): z.input<typeof kept> => ({
  requestId: found.requestId,
  says: whereElse(found),
  changes: found.changes.map(toAuditEntry),
  answers: found.answers.map(({ route, at, ...one }) => ({ ...one, path: route, at: at.toISOString() })),
});

/** Of what several requests of one id did. */
const EACH_MAX = 100;

/** What is kept of the requests with an X-Request-Id: callers choose it, and may choose it twice. */
export interface KeptOfRequest {
  requestId: string;
  /** What they changed, newest first. */
  changes: Awaited<ReturnType<typeof listChanges>>['items'];
  /** What they were answered that came with an Idempotency-Key in the last 24 hours, newest first. */
  answers: KeyedRequest[];
}

/** What is kept of a request: a hundred changes and a hundred answers at most. The log has all of them. */
export async function readRequestKept(db: Database, requestId: string): Promise<KeptOfRequest> {
  const [{ items }, answers] = await Promise.all([
    listChanges(db, { requestId, limit: EACH_MAX, offset: 0, isUncounted: true }),
    findKeyedRequests(db, { requestId, limit: EACH_MAX }),
  ]);
  return { requestId, changes: items, answers };
}

/** What to do with the id of a request besides. */
export const whereElse = ({ requestId, changes, answers }: KeptOfRequest): string =>
  changes.length + answers.length === 0
    ? `nothing is kept of it; look in the log for requestId=${requestId}`
    : `the log has more, under requestId=${requestId}`;
