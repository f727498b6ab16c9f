import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { bearerOf } from '#http/headers.ts';
import { partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { logOut } from '#modules/sessions';

export function deleteToken(app: ZodApp, deps: DepsOf<typeof logOut>): void {
  app.delete(
    '/token',
    {
      config: { neverShed: true },
      schema: {
        tags: ['Login', 'Extension'],
        operationId: 'logOut',
        summary: 'Log the customer out: whether their session had not ended before',
        description:
          'The token is refused from now on, and so are the links to statements that were asked for with it.',
        security: partnerAndCustomer,
        response: { 200: z.boolean() },
      },
      onRequest: async (request) => {
        request.scheme = 'Bearer';
      },
    },
    async (request) => logOut(deps, { partnerId: partnerOf(request).id, token: bearerOf(request) }),
  );
}
