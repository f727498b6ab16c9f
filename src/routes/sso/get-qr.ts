import { z } from 'zod';
import { acceptsOnlyJson } from '#http/headers.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { EMV_AMOUNT_MAX, payTagEmvPayload, payTagQr } from '#modules/customers';
import { amountInQuery } from '#wire/money.ts';

const query = z
  .object({
    format: z.enum(['png', 'emv']).optional().meta({
      description:
        'An extension: `emv` answers EMVCo’s merchant-presented payload, for apps that draw and scan such codes',
    }),
    amount: amountInQuery
      .refine((amount) => amount > 0n && amount <= EMV_AMOUNT_MAX, { error: 'must be above 0, at most 9999999999.99' })
      .optional()
      .meta({
        type: 'number',
        minimum: 0.01,
        example: 1500.5,
        description: 'An extension, with `format=emv`: the amount to be paid, in naira',
      }),
  })
  .refine(({ format, amount }) => amount === undefined || format === 'emv', {
    error: 'only a code of format emv holds an amount',
    path: ['amount'],
  });

const code = z.string().meta({
  description: 'Base64 of a PNG, without a data: prefix; with `format=emv` the text that a code is to say',
  example: 'iVBORw0KGgoAAAANSUhEUgAAASwAAAEs',
});

export function getQr(app: ZodApp, deps: DepsOf<typeof payTagQr> & DepsOf<typeof payTagEmvPayload>): void {
  app.get(
    '/qr',
    {
      schema: {
        tags: ['Customer wallet'],
        operationId: 'getQrCode',
        summary: "A QR code of the public link of the customer's PayTag",
        security: partnerAndCustomer,
        querystring: query,
        response: {
          200: {
            description: 'Plain text; a JSON string where the client accepts only JSON',
            content: { 'text/plain': { schema: code }, 'application/json': { schema: code } },
          },
          ...failuresFor('PAYTAG_NOT_FOUND', 'EMV_QR_NOT_CONFIGURED'),
        },
      },
    },
    async (request, reply) => {
      const { format, amount } = request.query;
      const said =
        format === 'emv'
          ? await payTagEmvPayload(deps, request.customerId, amount)
          : await payTagQr(deps, request.customerId);
      reply.header('vary', 'Accept');
      if (acceptsOnlyJson(request.headers.accept)) return reply.type('application/json').send(JSON.stringify(said));
      return reply.type('text/plain; charset=utf-8').send(said);
    },
  );
}
