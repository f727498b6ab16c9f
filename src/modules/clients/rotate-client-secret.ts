import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { readClientIds } from '#modules/outbox';
import { addresseeOf } from './application-contact.ts';
import { applicationNotFound } from './application-for-operator.ts';
import { lockAuthentic, routeApplication } from './application-store.ts';
import { isSecretOf, newClientSecret } from './client-credentials.ts';
import { type Handover, handoverOf, writeLetter } from './write-letter.ts';

/** How long the previous secret is accepted beside the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A new client secret, shown this once, or handed over to its owner. */
export interface RotatedClientSecret {
  clientId: string;
  clientSecret: string | undefined;
  handover: Handover | undefined;
  /** Undefined when the previous secret is no longer accepted. */
  previousUntil: Date | undefined;
}

/**
 * Gives an application a new client secret. The previous one is accepted for another day, or not at all with
 * `immediately`, which ends the tokens that were issued until now too. While a previous one is accepted, only the latter is possible: a second rotation in a row would shut
 * out whoever has not followed the first. Audited, and told to the application’s contact.
 *
 * @param given.provenBy the current secret, which the application itself must give; undefined for the operator
 * @param given.toOwner whether the owner alone is shown it, by a link to their proven contact
 * @param given.cause the request for approval that it comes of: done twice, it is done once
 * @throws DomainError APPLICATION_NOT_FOUND, INVALID_CLIENT, SECRET_OVERLAP_RUNNING, CONTACT_NOT_PROVEN
 */
export async function rotateClientSecret(
  deps: { transact: Transact; clock: Clock; keyring: Keyring; environment: string; securityLog: SecurityLog },
  given: {
    id: string;
    immediately: boolean;
    actor: string;
    provenBy?: string;
    reason?: string | undefined;
    toOwner?: boolean;
    cause?: string | undefined;
  },
): Promise<RotatedClientSecret> {
  const { transact, clock, keyring, environment } = deps;
  const { id, immediately, actor, provenBy, reason, toOwner = false, cause } = given;
  const now = clock.now();
  const clientSecret = newClientSecret(environment);
  const rotated = await transact(async (tx) => {
    const row = await lockAuthentic(tx, keyring, id);
    if (row === undefined) throw applicationNotFound();
    const before = await handoverOf(tx, cause);
    if (before !== undefined) {
      const { facts, handover } = before;
      const previous = facts.previousUntil === undefined ? undefined : new Date(facts.previousUntil);
      const clientIdOf = await readClientIds(tx, keyring, [id]);
      return { clientId: clientIdOf(id), clientSecret: undefined, previousUntil: previous, handover };
    }
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
    await routeApplication(tx, keyring, row, {
      secretDigest: sha256(clientSecret),
      previousSecretDigest: immediately ? null : row.secretDigest,
      previousSecretUntil: previousUntil,
      tokenGeneration: row.tokenGeneration + (immediately ? 1 : 0),
    });
    const after = {
      secretDigest: sha256(clientSecret).toString('hex'),
      previousUntil: previousUntil?.toISOString() ?? null,
    };
    await recordChange(tx, { actor, action: 'application.secret.rotate', target: id, after, reason });
    const clientIdOf = await readClientIds(tx, keyring, [id]);
    const clientId = clientIdOf(id);
    const taken = previousUntil && { previousUntil: previousUntil.toISOString() };
    const letter = { kind: 'CLIENT_SECRET', ...taken, ...(toOwner && { secret: clientSecret, cause }) } as const;
    const handover = await writeLetter(tx, deps, addresseeOf(keyring, row), letter);
    const shown = toOwner ? undefined : clientSecret;
    return { clientId, clientSecret: shown, previousUntil: previousUntil ?? undefined, handover };
  });
  deps.securityLog.record('client_secret_rotated', { applicationId: id });
  return rotated;
}
