import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { selectApplication, setSecret } from './application-store.ts';
import { isSecretOf } from './client-secret.ts';
import { newClientSecret } from './credentials.ts';
import { applicationNotFound } from './operate-application.ts';

/** How long the secret before is taken beside the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A new client secret, told this once. */
export interface RotatedClientSecret {
  clientId: string;
  clientSecret: string;
  /** Undefined: the one before is not taken any more. */
  previousUntil: Date | undefined;
}

/**
 * Gives an application a new client secret. The one before is taken beside it for a day, or stops at once. While one
 * still is, only the latter is possible: a second rotation in a row would shut out whoever has not followed the first.
 *
 * @param given.provenBy the secret that the application itself must show; not asked of the operator
 * @throws DomainError APPLICATION_NOT_FOUND, INVALID_CLIENT, SECRET_OVERLAP_RUNNING
 */
export async function rotateClientSecret(
  { transact, clock, environment }: { transact: Transact; clock: Clock; environment: string },
  given: { id: string; immediately: boolean; actor: string; provenBy?: string; reason?: string | undefined },
): Promise<RotatedClientSecret> {
  const { id, immediately, actor, provenBy, reason } = given;
  const now = clock.now();
  const clientSecret = newClientSecret(environment);
  return transact(async (tx) => {
    const row = await selectApplication(tx, id, 'locked');
    if (row?.clientId == null) throw applicationNotFound();
    if (provenBy !== undefined && !isSecretOf(row, provenBy, now)) {
      throw new DomainError('INVALID_CLIENT', 'client_secret: is wrong');
    }
    const until = row.previousSecretUntil;
    if (!immediately && until !== null && until > now) {
      throw new DomainError(
        'SECRET_OVERLAP_RUNNING',
        `the secret before the last rotation is taken until ${until.toISOString()}: rotate after that, or with immediately true`,
      );
    }
    const previousUntil = immediately ? null : new Date(now.getTime() + OVERLAP_MS);
    await setSecret(tx, id, {
      secretDigest: sha256(clientSecret),
      previousSecretDigest: immediately ? null : row.secretDigest,
      previousSecretUntil: previousUntil,
    });
    const after = { previousUntil: previousUntil?.toISOString() ?? null };
    await recordChange(tx, { actor, action: 'application.secret.rotate', target: id, after, reason });
    return { clientId: row.clientId, clientSecret, previousUntil: previousUntil ?? undefined };
  });
}
