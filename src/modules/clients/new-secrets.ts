import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { readClientIds } from '#modules/outbox';
import { lockAuthentic, routeApplication } from './application-store.ts';
import { applicationNotFound } from './applications.ts';
import { isSecretOf, newClientSecret } from './authenticate-application.ts';
import { firstKeyIsOver, newApiKey } from './authenticate-partner.ts';
import { applicationAddressee, partnerAddressee } from './contacts.ts';
import {
  type ApiKey,
  countActiveKeys,
  insertApiKey,
  type PartnerRow,
  selectApiKey,
  selectPartner,
  setKeyRevoked,
} from './partner-store.ts';
import { type Handover, handoverOf, writeLetter } from './queue-mail.ts';
import { partnerNotFound } from './read-partner.ts';

/** Two let a partner change over without a gap; more would be forgotten. */
const ACTIVE_MAX = 2;

/** Locks a partner, so that its keys are added and revoked one at a time. */
async function lockPartner(tx: Tx, id: string): Promise<PartnerRow> {
  const found = await selectPartner(tx, id, 'locked');
  if (found === undefined) throw partnerNotFound();
  return found;
}

/** An operator’s wish for new credentials of somebody else. */
interface NewCredentials {
  actor: string;
  reason?: string | undefined;
  /** Whether their owner alone is shown them, by a link to their proven contact. */
  toOwner?: boolean | undefined;
  /** The request for approval that it comes of: done twice, it is done once. */
  cause?: string | undefined;
}

/**
 * Adds an API key for a partner, whose contact is told. Audited, without the key itself.
 *
 * @returns the key, which is never shown again; with `toOwner` where it went
 * @throws DomainError PARTNER_NOT_FOUND, CONTACT_NOT_PROVEN, API_KEY_LIMIT when two are active already
 */
export async function addApiKey(
  deps: { transact: Transact; environment: string; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  { actor, partnerId, reason, toOwner = false, cause }: NewCredentials & { partnerId: string },
): Promise<ApiKey & { apiKey: string | undefined; handover: Handover | undefined }> {
  const apiKey = newApiKey(deps.environment);
  const made = await deps.transact(async (tx) => {
    const partner = await lockPartner(tx, partnerId);
    const before = await handoverOf(tx, cause);
    const known = before && (await selectApiKey(tx, partnerId, before.facts.keyId ?? ''));
    if (known !== undefined) return { ...known, apiKey: undefined, handover: before?.handover };
    if ((await countActiveKeys(tx, partnerId, firstKeyIsOver(deps))) >= ACTIVE_MAX) {
      throw new DomainError('API_KEY_LIMIT', 'two keys are active: revoke one of them first');
    }
    const createdAt = deps.clock.now();
    const id = timeOrderedId(createdAt);
    const added = await insertApiKey(tx, deps.keyring, { id, partnerId, digest: sha256(apiKey), createdAt });
    await recordChange(tx, { actor, action: 'partner.key.add', target: partnerId, after: { key: added.id }, reason });
    const letter = { kind: 'API_KEY', keyId: added.id, ...(toOwner && { secret: apiKey, cause }) } as const;
    const handover = await writeLetter(tx, deps, partnerAddressee(deps.keyring, partner), letter);
    return { ...added, apiKey: toOwner ? undefined : apiKey, handover };
  });
  deps.securityLog.record('api_key_added', { partnerId, keyId: made.id });
  return made;
}

/**
 * Revokes an API key: it is refused at once, by other processes within a second. The last key can be revoked too: a leaked key is worse than none. Audited.
 *
 * @throws DomainError PARTNER_NOT_FOUND, API_KEY_NOT_FOUND for another partner's too, API_KEY_REVOKED
 */
export async function revokeApiKey(
  { transact, clock }: { transact: Transact; clock: Clock },
  { actor, partnerId, keyId, reason }: { actor: string; partnerId: string; keyId: string; reason: string },
): Promise<ApiKey> {
  const revokedAt = clock.now();
  return transact(async (tx) => {
    await lockPartner(tx, partnerId);
    const found = await selectApiKey(tx, partnerId, keyId);
    if (found === undefined) throw new DomainError('API_KEY_NOT_FOUND', 'this partner has no such key');
    if (found.revokedAt !== null) throw new DomainError('API_KEY_REVOKED', 'this key is revoked already');
    await setKeyRevoked(tx, keyId, revokedAt);
    await recordChange(tx, { actor, action: 'partner.key.revoke', target: partnerId, before: { key: keyId }, reason });
    return { ...found, revokedAt };
  });
}

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
    const handover = await writeLetter(tx, deps, applicationAddressee(keyring, row), letter);
    const shown = toOwner ? undefined : clientSecret;
    return { clientId, clientSecret: shown, previousUntil: previousUntil ?? undefined, handover };
  });
  deps.securityLog.record('client_secret_rotated', { applicationId: id });
  return rotated;
}
