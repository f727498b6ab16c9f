import { z } from 'zod';
import { customerSessionOf, partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { formats, getRequestedStatement } from '#modules/statements';
import { momentOut } from '#wire/moment.ts';
import { reference } from '#wire/text.ts';

const requestedStatementShape = z
  .object({
    reference: z.string(),
    status: z.enum(['Pending', 'Ready', 'Failed']),
    format: z.enum(formats),
    from: momentOut,
    to: momentOut.meta({ description: 'Not included' }),
    createdAt: momentOut,
    failureReason: z.string().optional().meta({
      description:
        'When Failed: the error code of what it failed for, e.g. WALLET_NOT_FOUND where the wallet was revoked meanwhile; INTERNAL_ERROR where the reason is ours',
      example: 'WALLET_NOT_FOUND',
    }),
    mailedAt: momentOut.optional().meta({ description: 'When a mail server took over the link to it' }),
    url: z.url().optional().meta({ description: 'When Ready: a new link each time' }),
    expiresAt: momentOut.optional().meta({ description: 'Of the link: in 15 minutes, or with the session' }),
  })
  .meta({ id: 'RequestedStatement' });

export function getTransactionStatement(app: ZodApp, deps: DepsOf<typeof getRequestedStatement>): void {
  app.get(
    '/transaction/statement/:reference',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'getStatement',
        summary: 'A statement that was asked for with Prefer: respond-async',
        security: partnerAndCustomer,
        params: z.object({ reference }),
        response: { 200: requestedStatementShape, ...failuresFor('STATEMENT_NOT_FOUND') },
      },
    },
    async (request) => {
      const { customerId, params } = request;
      const session = customerSessionOf(request);
      const asked = { partnerId: partnerOf(request).id, customerId, reference: params.reference, session };
      const { link, mailedAt, from, to, createdAt, ...statement } = await getRequestedStatement(deps, asked);
      return {
        ...statement,
        from: from.toISOString(),
        to: to.toISOString(),
        createdAt: createdAt.toISOString(),
        mailedAt: mailedAt?.toISOString(),
        url: link?.url,
        expiresAt: link?.expiresAt.toISOString(),
      };
    },
  );
}
