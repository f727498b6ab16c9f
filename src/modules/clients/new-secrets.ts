import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type RotatedSecret, readClientIds, rotateSecret } from '#modules/outbox';
import { lockAuthentic, routeApplication } from './application-store.ts';
import { applicationNotFound } from './applications.ts';
import { isSecretOf, newClientSecret } from './authenticate-application.ts';
import { firstKeyIsOver, newApiKey } from './authenticate-partner.ts';
import { applicationAddressee, ownerAddressee, partnerAddressee } from './contacts.ts';
import {
  type ApiKey,
  countActiveKeys,
  insertApiKey,
  type PartnerRow,
  selectApiKey,
  selectPartner,
  setKeyRevoked,
} from './partner-store.ts';
import { type Handover, handoverOf, queueMail } from './queue-mail.ts';
import { partnerNotFound } from './read-partner.ts';

/** Two let a partner switch without a gap; more would be forgotten. */
const ACTIVE_MAX = 2;

/** Locks a partner, so that its keys are added and revoked one at a time. */
async function lockPartner(tx: Tx, id: string): Promise<PartnerRow> {
  const found = await selectPartner(tx, id, 'locked');
  if (found === undefined) throw partnerNotFound();
  return found;
}

/** New credentials that an operator issues for an owner. */
interface NewCredentials {
  actor: string;
  reason?: string | undefined;
  /** Only the owner sees them, by a link to their proven contact. */
  toOwner?: boolean | undefined;
  /** The approval request: executed twice, it issues once. */
  cause?: string | undefined;
}

/**
 * Adds an API key for a partner, and notifies its contact. Audited, without the key itself.
 *
 * @returns the key, which is never shown again; with `toOwner` where the link went
 * @throws DomainError PARTNER_NOT_FOUND, CONTACT_NOT_PROVEN, API_KEY_LIMIT when two are active already
 */
export async function addApiKey(
  deps: { transact: Transact; environment: string; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  { actor, partnerId, reason, toOwner = false, cause }: NewCredentials & { partnerId: string },
): Promise<ApiKey & { apiKey: string | undefined; handover: Handover | undefined }> {
  const apiKey = newApiKey(deps.environment);
  const created = await deps.transact(async (tx) => {
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
    const mail = { kind: 'API_KEY', keyId: added.id, ...(toOwner && { secret: apiKey, cause }) } as const;
    const handover = await queueMail(tx, deps, partnerAddressee(deps.keyring, partner), mail);
    return { ...added, apiKey: toOwner ? undefined : apiKey, handover };
  });
  deps.securityLog.record('api_key_added', { partnerId, keyId: created.id });
  return created;
}

/**
 * Revokes an API key: this process refuses it at once, others within a second. The last key can be revoked too: a leaked key is worse
 * than none. Audited.
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
    if (found.revokedAt !== null) throw new DomainError('API_KEY_REVOKED', 'this key is already revoked');
    await setKeyRevoked(tx, keyId, revokedAt);
    await recordChange(tx, { actor, action: 'partner.key.revoke', target: partnerId, before: { key: keyId }, reason });
    return { ...found, revokedAt };
  });
}

/** How long the previous secret is accepted together with the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A new client secret: in the response, or handed over to its owner. */
export interface RotatedClientSecret {
  clientId: string;
  clientSecret: string | undefined;
  handover: Handover | undefined;
  /** Undefined when the previous secret is no longer accepted. */
  previousUntil: Date | undefined;
}

/**
 * Gives an application a new client secret, and notifies its contact. The previous one is accepted for another day, or not at all
 * with `immediately`, which also ends the tokens issued so far. While a previous secret is accepted, only `immediately` is possible: a
 * second rotation would lock out servers that still use it. Audited.
 *
 * @param given.provenBy the current secret, which the application itself must give; undefined for the operator
 * @param given.toOwner only the owner sees it, by a link to their proven contact
 * @param given.cause the approval request: executed twice, it rotates once
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
        `the previous secret is accepted until ${until.toISOString()}: rotate after that, or send immediately true`,
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
    const overlap = previousUntil && { previousUntil: previousUntil.toISOString() };
    const mail = { kind: 'CLIENT_SECRET', ...overlap, ...(toOwner && { secret: clientSecret, cause }) } as const;
    const handover = await queueMail(tx, deps, applicationAddressee(keyring, row), mail);
    const shown = toOwner ? undefined : clientSecret;
    return { clientId, clientSecret: shown, previousUntil: previousUntil ?? undefined, handover };
  });
  deps.securityLog.record('client_secret_rotated', { applicationId: id });
  return rotated;
}

/** A new webhook secret: in the response, or handed over to its owner. */
export interface NewWebhookSecret {
  secret: string | undefined;
  previousSecretUntil: Date | null;
  handover: Handover | undefined;
}

/**
 * Rotates the secret of an endpoint, as `rotateSecret` does, and notifies the owner’s contact.
 *
 * @param given.toOwner only the owner sees it, by a link to their proven contact
 * @param given.cause the approval request: executed twice, it rotates once
 * @returns the secret, which is never shown again; with `toOwner` where the link went
 * @throws DomainError CONTACT_NOT_PROVEN, and what `rotateSecret` throws
 */
export async function rotateWebhookSecret(
  deps: {
    transact: Transact;
    keyring: Keyring;
    clock: Clock;
    webhooks: { secretOverlapH: number };
    securityLog: SecurityLog;
  },
  {
    toOwner = false,
    cause,
    ...rotation
  }: Omit<Parameters<typeof rotateSecret>[1], 'notify'> & { toOwner?: boolean; cause?: string | undefined },
): Promise<NewWebhookSecret> {
  const { owner } = rotation;
  const before = cause === undefined ? undefined : await deps.transact((tx) => handoverOf(tx, cause));
  if (before !== undefined) return { secret: undefined, previousSecretUntil: null, handover: before.handover };
  let handover: Handover | undefined;
  const notify = async (tx: Tx, { secret, previousSecretUntil }: RotatedSecret) => {
    const until = previousSecretUntil && { previousUntil: previousSecretUntil.toISOString() };
    const mail = { kind: 'WEBHOOK_SECRET', ...until, ...(toOwner && { secret, cause }) } as const;
    handover = await queueMail(tx, deps, await ownerAddressee(tx, deps.keyring, owner), mail);
  };
  const { secret, previousSecretUntil } = await rotateSecret(deps, { ...rotation, notify });
  const whose = owner.ownerKind === 'PARTNER' ? { partnerId: owner.ownerId } : { applicationId: owner.ownerId };
  deps.securityLog.record('webhook_secret_rotated', whose);
  return { secret: toOwner ? undefined : secret, previousSecretUntil, handover };
}
