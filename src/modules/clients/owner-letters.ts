import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { type RotatedSecret, receiverNotFound, rotateSecret } from '#modules/outbox';
import { readApplicationContact } from './application-contact.ts';
import { assertProvenContact } from './contact-proof.ts';
import { readPartnerContact } from './partner-contact.ts';
import { type Addressee, type Handover, handoverOf, writeLetter } from './write-letter.ts';

type Owner = Pick<Addressee, 'ownerKind' | 'ownerId'>;

/** Who an owner is and where their contact is written to; undefined where there is no such owner. */
export async function contactOf(
  deps: { db: Executor; keyring: Keyring },
  { ownerKind, ownerId }: Owner,
): Promise<{ name: string; email: string | undefined } | undefined> {
  return ownerKind === 'PARTNER' ? readPartnerContact(deps, ownerId) : readApplicationContact(deps, ownerId);
}

async function addresseeOf(db: Executor, keyring: Keyring, owner: Owner): Promise<Addressee> {
  const contact = await contactOf({ db, keyring }, owner);
  if (contact === undefined) throw receiverNotFound();
  return { ...owner, ownerName: contact.name, email: contact.email };
}

/**
 * Refuses what would hand a secret to an owner whose contact has not proven to be theirs; a link to do so is mailed there.
 *
 * @throws DomainError CONTACT_NOT_PROVEN; PARTNER_NOT_FOUND, RECEIVER_NOT_FOUND
 */
export async function assertOwnerContact(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  owner: Owner,
): Promise<void> {
  await assertProvenContact(deps, await addresseeOf(deps.db, deps.keyring, owner));
}

/** A new webhook secret: shown this once, or handed over to its owner. */
export interface NewWebhookSecret {
  secret: string | undefined;
  previousSecretUntil: Date | null;
  handover: Handover | undefined;
}

/**
 * Gives an endpoint of a partner or an application a new secret, as `rotateSecret` does; the owner’s contact is told.
 *
 * @param given.toOwner whether the owner alone is shown it, by a link to their proven contact
 * @param given.cause the request for approval that it comes of: done twice, it is done once
 * @returns the secret, which is never shown again; with `toOwner` where it went
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
  }: Omit<Parameters<typeof rotateSecret>[1], 'tell'> & { toOwner?: boolean; cause?: string | undefined },
): Promise<NewWebhookSecret> {
  const { owner } = rotation;
  const before = cause === undefined ? undefined : await deps.transact((tx) => handoverOf(tx, cause));
  if (before !== undefined) return { secret: undefined, previousSecretUntil: null, handover: before.handover };
  let handover: Handover | undefined;
  const tell = async (tx: Tx, { secret, previousSecretUntil }: RotatedSecret) => {
    const until = previousSecretUntil && { previousUntil: previousSecretUntil.toISOString() };
    const letter = { kind: 'WEBHOOK_SECRET', ...until, ...(toOwner && { secret, cause }) } as const;
    handover = await writeLetter(tx, deps, await addresseeOf(tx, deps.keyring, owner), letter);
  };
  const { secret, previousSecretUntil } = await rotateSecret(deps, { ...rotation, tell });
  const whose = owner.ownerKind === 'PARTNER' ? { partnerId: owner.ownerId } : { applicationId: owner.ownerId };
  deps.securityLog.record('webhook_secret_rotated', whose);
  return { secret: toOwner ? undefined : secret, previousSecretUntil, handover };
}

/** Tells the contacts of those partners and applications that are among these ids of ours that an operator has lifted a limit of theirs. */
export async function tellOfLiftedLimit(
  deps: { transact: Transact; keyring: Keyring; clock: Clock },
  { ids, what }: { ids: readonly string[]; what: string },
): Promise<void> {
  await deps.transact(async (tx) => {
    for (const ownerId of ids) {
      for (const ownerKind of ['PARTNER', 'APPLICATION'] as const) {
        const contact = await contactOf({ db: tx, keyring: deps.keyring }, { ownerKind, ownerId }).catch(
          () => undefined,
        );
        if (contact === undefined) continue;
        const addressee = { ownerKind, ownerId, ownerName: contact.name, email: contact.email };
        await writeLetter(tx, deps, addressee, { kind: 'LIMIT_LIFTED', what });
      }
    }
  });
}
