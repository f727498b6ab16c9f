import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly, plainText } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { DomainError } from '#lib/domain-error.ts';
import { isStorable, verbatim } from '#lib/text/input.ts';
import { issueAuthCode } from '#modules/sessions';
import { text } from '#wire/text.ts';
import { givenPassword } from './shapes.ts';

const STATE_MAX = 512;

/** What may come with a login (RFC 6749 4.1.1, RFC 7636 4.3), in the query or in the body. */
const loginParameters = z.object({
  state: verbatim(z.string().max(STATE_MAX, `must have at most ${STATE_MAX} characters`))
    .refine(isStorable, { error: 'holds a character that is not allowed' })
    .optional()
    .meta({ description: 'Comes back in the redirect as it is' }),
  code_challenge: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a SHA-256 in base64url')
    .optional()
    .meta({
      description: 'S256 of the code_verifier that GET /sso/token must then show',
      example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    }),
  code_challenge_method: z.literal('S256', 'must be S256').optional(),
});

const body = loginParameters.extend({
  paytag: text(100).meta({ example: 'ada' }),
  password: givenPassword,
});

type LoginParameters = z.output<typeof loginParameters>;

/**
 * What came in the query or in the body. Two that differ are refused: an attacker who can add to one of them must not silently
 * take the place of the other.
 *
 * @throws DomainError INVALID_PARAMETER
 */
function eitherOf(inQuery: LoginParameters, inBody: LoginParameters): LoginParameters {
  for (const name of ['state', 'code_challenge', 'code_challenge_method'] as const) {
    if (inQuery[name] !== undefined && inBody[name] !== undefined && inQuery[name] !== inBody[name]) {
      throw new DomainError('INVALID_PARAMETER', `${name}: stands in the query and in the body, and differs`);
    }
  }
  return { ...inBody, ...inQuery };
}

export function postAuthCode(app: ZodApp, deps: DepsOf<typeof issueAuthCode>): void {
  app.post(
    '/auth-code',
    {
      config: { idempotent: false, neverShed: true }, // a login that is sent again is a login again
      schema: {
        tags: ['Login'],
        operationId: 'createAuthCode',
        summary: 'Log a customer in: the redirect URL with an authorization code',
        security: partnerOnly,
        querystring: loginParameters.extend({ scope: z.literal('profile', 'must be profile').default('profile') }),
        body,
        response: {
          200: plainText('The registered redirect URL with auth-code added, and state where one was given'),
          ...failuresFor('INVALID_CUSTOMER_CREDENTIALS', 'PASSWORD_NOT_SET', 'PAYTAG_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const { paytag, password } = request.body;
      const { scope } = request.query;
      const given = eitherOf(request.query, request.body);
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
