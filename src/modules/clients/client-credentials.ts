import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import { randomId, randomToken } from '#lib/random.ts';
import type { ApplicationCredentials } from './application-store.ts';

/** 128 random bits: it keys the R-Signature of the application's webhooks. */
export const newClientId = (): string => `app_${randomId()}`;

/** 256 random bits, with the environment it is for in front. */
export const newClientSecret = (environment: string): string => `as_${environment}_${randomToken()}`;

/** Compared with when an application has no secret, so that every refusal does the same work. */
const dummyDigest = sha256('nobody');

type SecretDigests = Pick<ApplicationCredentials, 'secretDigest' | 'previousSecretDigest' | 'previousSecretUntil'>;

/** Whether this is the application's client secret, or its previous one while that is accepted. In constant time. */
export function isSecretOf(row: SecretDigests | undefined, secret: string, now: Date): boolean {
  const given = sha256(secret);
  const isCurrent = equalDigests(row?.secretDigest ?? dummyDigest, given);
  const isPrevious = equalDigests(row?.previousSecretDigest ?? dummyDigest, given);
  const overlaps = row?.previousSecretUntil != null && row.previousSecretUntil > now;
  return row !== undefined && (isCurrent || (isPrevious && overlaps));
}
