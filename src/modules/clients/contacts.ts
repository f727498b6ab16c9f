import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { type RotatedSecret, receiverNotFound, rotateSecret } from '#modules/outbox';
import { APPLICATION_EMAIL, type ApplicationRow, selectRegistered } from './application-store.ts';
import { deleteProven, endLinks, selectOpenProof } from './letter-store.ts';
import { CONTACT, type PartnerRow, selectPartner, updatePartner } from './partner-store.ts';
import {
  type Addressee,
  contactNotProven,
  digestOf,
  type Handover,
  handoverOf,
  isProven,
  writeLetter,
} from './queue-mail.ts';
import { partnerNotFound } from './read-partner.ts';

/** A partner's contact for notices about its webhooks. */
export interface PartnerContact {
  name: string;
  email: string | undefined;
}

/** The contact of a partner that is stored. @throws AlteredRecord */
export const openContact = (
  keyring: Keyring,
  { id, contactEmailSealed: sealed }: Pick<PartnerRow, 'id' | 'contactEmailSealed'>,
): string | undefined => (sealed === null ? undefined : keyring.open(CONTACT, [id], sealed));

/** What the audit log says of a contact: by this it is known again, and nobody reads the address. */
export const contactDigest = (keyring: Keyring, partnerId: string, email: string | null | undefined): string | null =>
  email == null ? null : keyring.blindIndex('partner.contact', JSON.stringify([partnerId, email])).toString('hex');

/** Encrypts the address for storage. */
export const sealContact = (keyring: Keyring, partnerId: string, email: string | null | undefined): Buffer | null =>
  email == null ? null : keyring.seal(CONTACT, [partnerId], email);

/** Who is told what becomes of a partner's webhooks. @throws DomainError PARTNER_NOT_FOUND */
async function readPartnerContact(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<PartnerContact> {
  const found = await selectPartner(db, id);
  if (found === undefined) throw partnerNotFound();
  return { name: found.name, email: openContact(keyring, found) };
}

/** The addressee of mails to a partner. */
export const partnerAddressee = (keyring: Keyring, partner: PartnerRow): Addressee => ({
  ownerKind: 'PARTNER',
  ownerId: partner.id,
  ownerName: partner.name,
  email: openContact(keyring, partner),
});

/** Tells a partner’s contact, where there is one, of what an operator did; nothing for the id of something else. */
export async function tellPartner(
  tx: Tx,
  deps: { keyring: Keyring; clock: Clock },
  id: string,
  told: { kind: 'MONEY_FREED' | 'LIMIT_LIFTED'; what: string },
): Promise<void> {
  const found = await selectPartner(tx, id);
  if (found !== undefined) await writeLetter(tx, deps, partnerAddressee(deps.keyring, found), told);
}

/**
 * Notes that the contact of a partner is another: the one before is told, and in live the new one is asked to prove that the
 * address is theirs.
 */
export async function noteNewContact(
  tx: Tx,
  deps: { keyring: Keyring; clock: Clock; environment: string },
  before: PartnerRow,
  { email, what }: { email: string | null; what: string },
): Promise<void> {
  const had = partnerAddressee(deps.keyring, before);
  await writeLetter(tx, deps, had, { kind: 'PARTNER_CHANGED', what });
  await forgetContact(tx, deps, before.id);
  if (deps.environment === 'live') await askForProof(tx, deps, { ...had, email: email ?? undefined });
}

/**
 * Sets who is told what becomes of a partner's webhooks, at its own word; null: nobody. Audited, without the address.
 *
 * @throws DomainError PARTNER_NOT_FOUND
 */
export async function changeContact(
  deps: { transact: Transact; keyring: Keyring; clock: Clock; environment: string; securityLog: SecurityLog },
  { actor, partnerId, email }: { actor: string; partnerId: string; email: string | null },
): Promise<PartnerContact> {
  const { transact, keyring, clock } = deps;
  const changed = await transact(async (tx) => {
    const before = await selectPartner(tx, partnerId, 'locked');
    if (before === undefined) throw partnerNotFound();
    await updatePartner(tx, partnerId, { contactEmailSealed: sealContact(keyring, partnerId, email) }, clock.now());
    await recordChange(tx, {
      actor,
      action: 'partner.contact',
      target: partnerId,
      before: { hasContact: before.contactEmailSealed !== null },
      after: { hasContact: email !== null, contactDigest: contactDigest(keyring, partnerId, email) },
    });
    const { email: had } = partnerAddressee(keyring, before);
    if (had !== (email ?? undefined)) await noteNewContact(tx, deps, before, { email, what: 'its contact, by itself' });
    return { name: before.name, email: email ?? undefined };
  });
  deps.securityLog.record('contact_changed', { partnerId });
  return changed;
}

/** Who is told what becomes of an application's webhooks: whoever registered it. Undefined for what is no registered one. */
async function readApplicationContact(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<{ name: string; email: string | undefined } | undefined> {
  const found = await selectRegistered(db, id);
  if (found === undefined) return undefined;
  const { ownerName: name, email } = applicationAddressee(keyring, found);
  return { name, email };
}

/** The addressee of mails to an application: the address it was registered with. */
export const applicationAddressee = (keyring: Keyring, { id, name, emailSealed }: ApplicationRow): Addressee => ({
  ownerKind: 'APPLICATION',
  ownerId: id,
  ownerName: name,
  email: emailSealed === null ? undefined : keyring.open(APPLICATION_EMAIL, [id], emailSealed),
});

type Owner = Pick<Addressee, 'ownerKind' | 'ownerId'>;

/** Who an owner is and where their contact is written to; undefined where there is no such owner. */
export async function contactOf(
  deps: { db: Executor; keyring: Keyring },
  { ownerKind, ownerId }: Owner,
): Promise<{ name: string; email: string | undefined } | undefined> {
  return ownerKind === 'PARTNER' ? readPartnerContact(deps, ownerId) : readApplicationContact(deps, ownerId);
}

async function ownerAddressee(db: Executor, keyring: Keyring, owner: Owner): Promise<Addressee> {
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
  await assertProvenContact(deps, await ownerAddressee(deps.db, deps.keyring, owner));
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
    handover = await writeLetter(tx, deps, await ownerAddressee(tx, deps.keyring, owner), letter);
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

const HOUR_MS = 60 * 60 * 1000;

type Deps = { keyring: Keyring; clock: Clock };

/** Mails a link by which the contact proves that the address is theirs, unless one was mailed there within the hour. */
export async function askForProof(tx: Tx, deps: Deps, addressee: Addressee): Promise<void> {
  const { ownerId, email } = addressee;
  if (email === undefined) return;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - HOUR_MS);
  const asked = await selectOpenProof(tx, [ownerId, digestOf(deps.keyring, addressee, email), since, now]);
  if (asked.length === 0) await writeLetter(tx, deps, addressee, { kind: 'CONTACT_PROOF', isProof: true });
}

/** Forgets what was proven of an owner’s contact, with the address: links that were mailed there open nothing any more. */
export async function forgetContact(tx: Tx, { clock }: Pick<Deps, 'clock'>, ownerId: string): Promise<void> {
  await deleteProven(tx, [ownerId]);
  await endLinks(tx, [ownerId, clock.now()]);
}

/**
 * Refuses to hand a secret over where nobody has proven to be the owner’s contact, and mails them a link to do so.
 *
 * @throws DomainError CONTACT_NOT_PROVEN
 */
async function assertProvenContact(
  deps: Deps & { transact: Transact; db: Executor },
  addressee: Addressee,
): Promise<void> {
  if (await isProven(deps.db, deps.keyring, addressee)) return;
  if (addressee.email !== undefined) await deps.transact((tx) => askForProof(tx, deps, addressee));
  throw contactNotProven(addressee);
}
