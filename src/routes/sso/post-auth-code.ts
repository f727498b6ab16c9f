import { z } from 'zod';
import { issueAuthCode } from '#modules/sessions';
import { partnerOf } from '../../http/auth/partner.ts';
import { failuresFor, partnerOnly } from '../../http/openapi-meta.ts';
import { plainText, text } from '../../http/text.ts';
import type { ZodApp } from '../../http/zod-app.ts';
import type { Resources } from '../../resources.ts';

const body = z.object({
  paytag: text(100).meta({ example: 'ada' }),
  password: z.string().min(1, 'must not be empty').max(512),
});

export function postAuthCode(app: ZodApp, resources: Resources): void {
  app.post(
    '/auth-code',
    {
      config: { idempotent: false }, // a login that is sent again is a login again
      schema: {
        tags: ['Login'],
        summary: 'Log a customer in: the redirect URL with an authorization code',
        security: partnerOnly,
        querystring: z.object({ scope: z.literal('profile', 'must be profile').default('profile') }),
        body,
        response: {
          200: plainText('The registered redirect URL with auth-code added'),
          ...failuresFor(400, 401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const { paytag, password } = request.body;
      const { scope } = request.query;
      const redirectUrl = await issueAuthCode(resources, { partner: partnerOf(request), paytag, password, scope });
      return reply.type('text/plain; charset=utf-8').send(redirectUrl);
    },
  );
}
