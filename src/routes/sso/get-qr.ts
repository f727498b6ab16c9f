import { z } from 'zod';
import { acceptsOnlyJson } from '#http/negotiation.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { payTagQr } from '#modules/customers';

const image = z.string().meta({ description: 'Base64 of a PNG, without a data: prefix' });

export function getQr(app: ZodApp, deps: DepsOf<typeof payTagQr>): void {
  app.get(
    '/qr',
    {
      schema: {
        tags: ['Customer wallet'],
        operationId: 'getQrCode',
        summary: "A QR code of the public link of the customer's PayTag",
        security: partnerAndCustomer,
        response: {
          200: {
            description: 'Plain text; a JSON string where the client accepts only JSON',
            content: { 'text/plain': { schema: image }, 'application/json': { schema: image } },
          },
          ...failuresFor('PAYTAG_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const code = await payTagQr(deps, request.customerId);
      reply.header('vary', 'Accept');
      if (acceptsOnlyJson(request.headers.accept)) return reply.type('application/json').send(JSON.stringify(code));
      return reply.type('text/plain; charset=utf-8').send(code);
    },
  );
}
