import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly, plainText } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { issueAuthCode } from '#modules/sessions';
import { text } from '#wire/text.ts';
import { loginParameters } from './login-parameters.ts';

const body = loginParameters.extend({
  paytag: text(100).meta({ example: 'ada' }),
  password: z.string().min(1, 'must not be empty').max(512),
});

export function postAuthCode(app: ZodApp, deps: DepsOf<typeof issueAuthCode>): void {
  app.post(
    '/auth-code',
    {
      config: { idempotent: false }, // a login that is sent again is a login again
      schema: {
        tags: ['Login'],
        summary: 'Log a customer in: the redirect URL with an authorization code',
        security: partnerOnly,
        querystring: loginParameters.extend({ scope: z.literal('profile', 'must be profile').default('profile') }),
        body,
        response: {
          200: plainText('The registered redirect URL with auth-code added, and state where one was given'),
          ...failuresFor(400, 401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { paytag, password } = request.body;
      const { scope } = request.query;
      const given = { ...request.body, ...request.query };
      const redirectUrl = await issueAuthCode(deps, {
        partner: partnerOf(request),
        paytag,
        password,
        scope,
        state: given.state,
        codeChallenge: given.code_challenge,
        codeChallengeMethod: given.code_challenge_method,
      });
      return reply.type('text/plain; charset=utf-8').send(redirectUrl);
    },
  );
}
