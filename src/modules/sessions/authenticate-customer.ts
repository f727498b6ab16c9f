import type { Pool } from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { verify } from '#modules/signing-keys';
import { isSessionLive } from './store.ts';
import { customerTokenKind } from './token-kind.ts';

/**
 * The customer whose token this is. A token is good at the partner it was issued to, while its session lives.
 *
 * @returns the customer's id
 * @throws DomainError INVALID_CUSTOMER_TOKEN, the same for a missing, forged, expired, revoked or another partner's token
 */
export async function authenticateCustomer(
  deps: { db: Database; pool: Pool; keyring: Keyring; clock: Clock; publicUrl: string },
  { partnerId, token }: { partnerId: string; token: string | undefined },
): Promise<string> {
  const claims = token === undefined ? undefined : await verify(deps, token, customerTokenKind(deps.publicUrl));
  const mine = claims !== undefined && claims['azp'] === partnerId;
  if (
    mine &&
    (await isSessionLive(deps.pool, { id: claims.jti, partnerId, customerId: claims.sub }, deps.clock.now()))
  ) {
    return claims.sub;
  }
  throw new DomainError(
    'INVALID_CUSTOMER_TOKEN',
    'the customer token is missing or not valid: log the customer in again',
  );
}
