import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listApprovals } from '#modules/approvals';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { approvalShape, approvalStatus, toApproval } from './shapes/approval.ts';

const pages = pagedBy('approvals', uuidKey);

const query = pages.query.extend({
  status: optional(approvalStatus),
  operation: optional(text(200)).meta({ description: 'As POST /partners/:id/float' }),
  requestedBy: optional(text(40)).meta({ description: 'An operator’s id, or root' }),
});

export function getApprovals(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listApprovals>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/approvals',
    {
      schema: {
        operationId: 'listApprovals',
        summary: 'What waits for another operator’s approval, and what became of the rest, newest first',
        querystring: query,
        response: { 200: listOf(approvalShape) },
      },
    },
    async ({ actor, query: asked }) =>
      pages.page(await readLong(actor, async (db) => listApprovals({ ...deps, db }, asked)), asked, toApproval),
  );
}
