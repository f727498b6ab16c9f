import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { readClientIds } from '#modules/outbox';
import { applicationNotFound } from './application-for-operator.ts';
import { selectRegistered, updateSecret } from './application-store.ts';
import { isSecretOf, newClientSecret } from './client-credentials.ts';

/** How long the previous secret is accepted beside the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A new client secret, shown this once. */
export interface RotatedClientSecret {
  clientId: string;
  clientSecret: string;
  /** Undefined when the previous secret is no longer accepted. */
  previousUntil: Date | undefined;
}

/**
 * Gives an application a new client secret. The previous one is accepted for another day, or not at all with
 * `immediately`, which ends the tokens that were issued until now too. While a previous one is accepted, only the latter is possible: a second rotation in a row would shut
 * out whoever has not followed the first. Audited.
 *
 * @param given.provenBy the current secret, which the application itself must give; undefined for the operator
 * @throws DomainError APPLICATION_NOT_FOUND, INVALID_CLIENT, SECRET_OVERLAP_RUNNING
 */
export async function rotateClientSecret(
  {
    transact,
    clock,
    keyring,
    environment,
  }: { transact: Transact; clock: Clock; keyring: Keyring; environment: string },
  given: { id: string; immediately: boolean; actor: string; provenBy?: string; reason?: string | undefined },
): Promise<RotatedClientSecret> {
  const { id, immediately, actor, provenBy, reason } = given;
  const now = clock.now();
  const clientSecret = newClientSecret(environment);
  return transact(async (tx) => {
    const row = await selectRegistered(tx, id, 'locked');
    if (row === undefined) throw applicationNotFound();
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
    await updateSecret(tx, id, {
      secretDigest: sha256(clientSecret),
      previousSecretDigest: immediately ? null : row.secretDigest,
      previousSecretUntil: previousUntil,
      tokenGeneration: row.tokenGeneration + (immediately ? 1 : 0),
    });
    const after = { previousUntil: previousUntil?.toISOString() ?? null };
    await recordChange(tx, { actor, action: 'application.secret.rotate', target: id, after, reason });
    const clientIdOf = await readClientIds(tx, keyring, [id]);
    return { clientId: clientIdOf(id), clientSecret, previousUntil: previousUntil ?? undefined };
  });
}
