import { applicationOf } from '#http/auth/application.ts';
import { applicationOnly, failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Clock } from '#lib/clock.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listPending, sortProperties } from '#modules/offers';
import { enveloped, envelopeOf } from '#wire/envelope.ts';
import { switchTransactionShape, toSwitchTransaction } from './shapes.ts';
import { pageOfShape, springPage, springPaging } from './spring-page.ts';

const newestFirst = [{ property: 'createdAt', isDescending: true, ignoresCase: false }] as const;

export function getTransactionsPending(app: ZodApp, deps: DepsOf<typeof listPending> & { clock: Clock }): void {
  app.get(
    '/transactions/pending',
    {
      schema: {
        tags: ['Transactions'],
        operationId: 'listPendingTransactions',
        summary: 'What is addressed to the calling application and waits for its decision',
        description:
          'totalElements is exact. While more than 10,000 wait they are sorted by createdAt, and then id, alone: another sort is 400.',
        security: applicationOnly,
        querystring: springPaging(sortProperties, newestFirst),
        response: { 200: envelopeOf(pageOfShape(switchTransactionShape)), ...failuresFor('INVALID_PARAMETER') },
      },
    },
    async (request) => {
      const { items, total } = await listPending(deps, applicationOf(request).id, request.query);
      const page = springPage(items.map(toSwitchTransaction), total, request.query);
      return enveloped(deps.clock, 'pending transactions', page);
    },
  );
}
