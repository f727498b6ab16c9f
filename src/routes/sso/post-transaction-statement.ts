import { z } from 'zod';
import { formats, issueStatement } from '#modules/statements';
import { partnerOf } from '../../http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '../../http/openapi-meta.ts';
import { optional } from '../../http/text.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';

const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be a day (YYYY-MM-DD, in Lagos) or a moment (RFC 3339)',
});

const querystring = z.object({
  from: optional(moment).meta({ description: 'First day, in Lagos, or moment; 30 days before the end without it' }),
  to: optional(moment).meta({ description: 'Last day, in Lagos, or moment; now without it' }),
  format: optional(z.enum(formats)).meta({ description: 'pdf without it' }),
});

export function postTransactionStatement(app: ZodApp, resources: Resources): void {
  app.post(
    '/transaction/statement',
    {
      schema: {
        tags: ['Customer wallet'],
        summary: "A link to a statement of the customer's wallet",
        description: 'The link is for whoever has it, and expires in 15 minutes. At most 366 days.',
        security: partnerAndCustomer,
        querystring,
        response: {
          200: z.object({ url: z.url() }).meta({ id: 'StatementLink' }),
          ...failuresFor(400, 401, 403, 404, 409),
        },
      },
    },
    async (request) => {
      const { customerId, query } = request;
      const { format = 'pdf', ...days } = query;
      return {
        url: await issueStatement(resources, { partnerId: partnerOf(request).id, customerId, format, ...days }),
      };
    },
  );
}
