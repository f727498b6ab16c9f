import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly, plainText } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { exchangeAuthCode } from '#modules/sessions';
import { text } from '#wire/text.ts';

/** RFC 7636 4.1. */
const codeVerifier = z
  .string()
  .regex(/^[\w.~-]{43,128}$/, 'must have 43 to 128 letters, digits, - . _ or ~')
  .optional()
  .meta({
    description: 'Where the login had a code_challenge',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  });

export function getToken(app: ZodApp, deps: DepsOf<typeof exchangeAuthCode>): void {
  app.get(
    '/token',
    {
      exposeHeadRoute: false, // it uses up the code
      config: { neverShed: true },
      schema: {
        tags: ['Login'],
        operationId: 'exchangeAuthCode',
        summary: 'Exchange an authorization code for the customer token',
        security: partnerOnly,
        querystring: z.object({ 'auth-code': text(512), code_verifier: codeVerifier }),
        response: { 200: plainText('The customer token, a JWT'), ...failuresFor('INVALID_AUTH_CODE') },
      },
    },
    async (request, reply) => {
      const partnerId = partnerOf(request).id;
      const token = await exchangeAuthCode(deps, {
        partnerId,
        code: request.query['auth-code'],
        codeVerifier: request.query.code_verifier,
      });
      return reply.type('text/plain; charset=utf-8').send(token);
    },
  );
}
