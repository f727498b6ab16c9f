import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#lib/domain-error.ts';
import type { ZodApp } from './zod-app.ts';

/** A browser loads nothing from an answer, does not frame it and guesses no type (OWASP REST Security). Pages override some. */
export const safeHeaders = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Keeps the answers of this instance out of caches: they hold money, data and secrets. */
export function noStore(app: ZodApp): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
}

/** The media ranges of an Accept header with their weights, without those of weight 0. */
function rangesOf(accept: string): { type: string; weight: number }[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .map(([type = '', ...parameters]) => {
      const weight = parameters.map((parameter) => /^q=(\d(?:\.\d*)?)$/.exec(parameter)?.[1]).find(Boolean);
      return { type, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0);
}

/** True for a client that accepts JSON and no other text (RFC 9110 12.5.1). */
export function acceptsOnlyJson(accept: string | undefined): boolean {
  const ranges = rangesOf(accept ?? '*/*').map(({ type }) => type);
  const takes = (...types: string[]) => ranges.some((range) => types.includes(range));
  return takes('application/json', 'application/*') && !takes('text/plain', 'text/*', '*/*');
}

/** True for a browser: a client that names HTML and does not prefer JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = rangesOf(accept ?? '*/*');
  const weightOf = (wanted: string) => ranges.find(({ type }) => type === wanted)?.weight ?? 0;
  const ofHtml = weightOf('text/html');
  return ofHtml > 0 && ofHtml >= weightOf('application/json');
}

/** Whether a Prefer header asks for an answer before the work is done (RFC 7240 4.1). */
export const prefersAsync = (prefer: string | string[] | undefined): boolean =>
  [prefer ?? []]
    .flat()
    .flatMap((header) => header.split(','))
    .some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference));

/** The token of an `Authorization: Bearer` header (RFC 6750 2.1). */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** How a caller authenticates. `ApiKey` stands for our `x-client-id` and `x-api-key`, which have no registered scheme. */
type Scheme = 'ApiKey' | 'Basic' | 'Bearer';

declare module 'fastify' {
  interface FastifyRequest {
    /** The scheme that the route requires; null where it needs no credentials. */
    scheme: Scheme | null;
  }
}

/**
 * The WWW-Authenticate header of a 401 (RFC 9110 11.6.1); undefined on a page, whose form asks for credentials. Has `invalid_token`
 * only when a token was sent (RFC 6750 3.1).
 *
 * @param errorCode the reason: INVALID_CLIENT concerns a secret in the body, not the token
 */
export function wwwAuthenticateOf(request: FastifyRequest, errorCode: ErrorCode): string | undefined {
  const { scheme } = request;
  if (scheme === null) return undefined;
  const isOfToken = scheme === 'Bearer' && errorCode !== 'INVALID_CLIENT' && bearerOf(request) !== undefined;
  return `${scheme} realm="paytag"${isOfToken ? ', error="invalid_token"' : ''}`;
}
