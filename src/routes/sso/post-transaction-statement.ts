import { z } from 'zod';
import { customerSessionOf, partnerOf } from '#http/auth/partner.ts';
import { prefersAsync } from '#http/headers.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { formats, issueStatement, requestStatement } from '#modules/statements';
import { optional } from '#wire/text.ts';

const dayOrMoment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const moment = z
  .string()
  .refine((given) => dayOrMoment.safeParse(given).success, {
    error: 'must be a day (YYYY-MM-DD, in Lagos) or a moment (RFC 3339)',
  })
  .meta({ example: '2026-01-31' });

const querystring = z.object({
  from: optional(moment).meta({ description: 'First day, in Lagos, or moment; 30 days before the end without it' }),
  to: optional(moment).meta({ description: 'Last day, in Lagos, or moment; now without it' }),
  format: optional(z.enum(formats)).meta({ description: 'pdf without it' }),
});

export function postTransactionStatement(
  app: ZodApp,
  deps: DepsOf<typeof issueStatement> & DepsOf<typeof requestStatement> & { publicUrl: string },
): void {
  app.post(
    '/transaction/statement',
    {
      schema: {
        tags: ['Customer wallet'],
        operationId: 'createStatement',
        summary: "A link to a statement of the customer's wallet",
        description:
          'Anyone with the link can open it; it expires after 15 minutes, and with the session. At most 366 days. Every statement has a verification code, which `/statement/verify` checks. With `Prefer: respond-async` it is prepared in the background, and mailed if the customer has an address.',
        security: partnerAndCustomer,
        querystring,
        response: {
          200: z.object({ url: z.url() }).meta({ id: 'StatementLink' }),
          202: z
            .object({ reference: z.string(), status: z.literal('Pending') })
            .meta({ id: 'PendingStatement', description: 'With Prefer: respond-async' }),
          ...failuresFor('WALLET_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const { format = 'pdf', ...days } = request.query;
      const asked = { partnerId: partnerOf(request).id, customerId: request.customerId, format, ...days };
      if (!prefersAsync(request.headers.prefer)) {
        return { url: await issueStatement(deps, { ...asked, session: customerSessionOf(request) }) };
      }
      const reference = await requestStatement(deps, asked);
      reply.header('preference-applied', 'respond-async');
      reply.header('location', `${deps.publicUrl}/v2/sso/transaction/statement/${reference}`);
      return reply.code(202).send({ reference, status: 'Pending' as const });
    },
  );
}
