import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { exportCustomer } from '#modules/data-rights';
import { momentOut } from '#wire/moment.ts';
import { idParams } from './shapes/params.ts';
import { reasonBody } from './shapes/reason.ts';

const document = z.object({
  customerId: z.uuid(),
  exportedAt: momentOut,
  data: z.record(z.string(), z.unknown()).meta({
    description:
      'By part: `profile`, `payTags`, `wallets`, `transactions`, `receivedFrom`, `offers`, `claims`, `links`, `beneficiaries`, `bankAccounts`, `logins`, `onboarding`, `notices`, `statements`, `changesByOperators`. Of long lists the newest 10,000, with `count` of all and `isComplete`',
  }),
});

export function postCustomersExport(app: ZodApp, deps: DepsOf<typeof exportCustomer>): void {
  app.post(
    '/customers/:id/export',
    {
      schema: {
        operationId: 'exportCustomer',
        summary: 'Everything that is kept of a customer, opened, as one document; audited',
        description: 'Under an `Idempotency-Key` the document is kept for its 24 hours, sealed: send none.',
        params: idParams,
        body: reasonBody,
        response: { 200: document, ...failuresFor('CUSTOMER_NOT_FOUND') },
      },
    },
    async ({ params, body, actor }) => {
      const { customerId, exportedAt, data } = await exportCustomer(deps, { ...body, id: params.id, actor });
      return { customerId, exportedAt: exportedAt.toISOString(), data };
    },
  );
}
