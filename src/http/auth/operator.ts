import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { LocalThrottle } from '#modules/throttles';
import type { ZodApp } from '../zod-app.ts';
import { bearerOf } from './authorization.ts';

/** Asks every route of this instance for the operator's bearer token. */
export function requireOperator(
  app: ZodApp,
  { operatorToken, callLimit }: { operatorToken: string | undefined; callLimit: LocalThrottle },
): void {
  const expected = operatorToken === undefined ? undefined : sha256(operatorToken);
  app.addHook('onRequest', async (request) => {
    request.scheme = 'Bearer';
    if (expected === undefined || !equalDigests(sha256(bearerOf(request) ?? ''), expected)) {
      throw new DomainError('INVALID_CREDENTIALS', 'send the operator token as a bearer token');
    }
    request.credential = 'operator';
    callLimit.take(request.credential);
  });
}
