import { z } from 'zod';
import { isStorable } from '#lib/storable-text.ts';

const STATE_MAX = 512;

/** What may come with a login (RFC 6749 4.1.1, RFC 7636 4.3), in the query or in the body. */
export const loginParameters = z.object({
  state: z
    .string()
    .min(1, 'must not be empty')
    .max(STATE_MAX, `must have at most ${STATE_MAX} characters`)
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

/** RFC 7636 4.1. */
export const codeVerifier = z
  .string()
  .regex(/^[\w.~-]{43,128}$/, 'must have 43 to 128 letters, digits, - . _ or ~')
  .optional()
  .meta({
    description: 'Where the login had a code_challenge',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  });
