import { partnerOf } from '#http/auth/partner.ts';
import { partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { listDisputes } from '#modules/disputes';
import { listOf, pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { disputeShape, disputeState, toDispute } from './shapes.ts';

const pages = pagedBy('disputes', uuidKey);

export function getDispute(
  app: ZodApp,
  { readLong, keyring, securityLog }: { readLong: ReadLong; keyring: Keyring; securityLog: SecurityLog },
): void {
  app.get(
    '/dispute',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'listDisputes',
        summary: 'Disputes about wallets of this partner, newest first',
        security: partnerOnly,
        querystring: pages.query.extend({ state: optional(disputeState) }),
        response: { 200: listOf(disputeShape) },
      },
    },
    async (request, reply) => {
      const { id: partnerId } = partnerOf(request);
      const found = await readLong(`partner:${partnerId}`, async (db) =>
        listDisputes({ db, keyring, securityLog }, { ...request.query, partnerId }),
      );
      reply.header('cache-control', 'no-store');
      return pages.page(found, request.query, toDispute);
    },
  );
}
