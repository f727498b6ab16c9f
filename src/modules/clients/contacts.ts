import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { receiverNotFound } from '#modules/outbox';
import { APPLICATION_EMAIL, type ApplicationRow, selectRegistered } from './application-store.ts';
import { deleteProven, endLinks, selectOpenProof } from './mail-store.ts';
import { CONTACT, type PartnerRow, selectPartner, updatePartner } from './partner-store.ts';
import { type Addressee, contactNotProven, digestOf, isProven, queueMail } from './queue-mail.ts';
import { partnerNotFound } from './read-partner.ts';

/** A partner's contact for notices about its webhooks. */
export interface PartnerContact {
  name: string;
  email: string | undefined;
}

/** The stored contact of a partner. @throws AlteredRecord */
export const openContact = (
  keyring: Keyring,
  { id, contactEmailSealed: sealed }: Pick<PartnerRow, 'id' | 'contactEmailSealed'>,
): string | undefined => (sealed === null ? undefined : keyring.open(CONTACT, [id], sealed));

/** The keyed digest of a contact for the audit log: it identifies the address without showing it. */
export const contactDigest = (keyring: Keyring, partnerId: string, email: string | null | undefined): string | null =>
  email == null ? null : keyring.blindIndex('partner.contact', JSON.stringify([partnerId, email])).toString('hex');

/** Encrypts the address for storage. */
export const sealContact = (keyring: Keyring, partnerId: string, email: string | null | undefined): Buffer | null =>
  email == null ? null : keyring.seal(CONTACT, [partnerId], email);

/** The contact for notices about a partner's webhooks. @throws DomainError PARTNER_NOT_FOUND */
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

/** Queues a mail to a partner’s contact, if there is one. Does nothing for an id that is not a partner's. */
export async function notifyPartner(
  tx: Tx,
  deps: { keyring: Keyring; clock: Clock },
  id: string,
  news: { kind: 'MONEY_FREED' | 'LIMIT_LIFTED'; what: string },
): Promise<void> {
  const found = await selectPartner(tx, id);
  if (found !== undefined) await queueMail(tx, deps, partnerAddressee(deps.keyring, found), news);
}

/**
 * Handles a change of a partner's contact: mails the previous contact, and in live sends the new one a link to prove the address.
 */
export async function noteNewContact(
  tx: Tx,
  deps: { keyring: Keyring; clock: Clock; environment: string },
  before: PartnerRow,
  { email, what }: { email: string | null; what: string },
): Promise<void> {
  const had = partnerAddressee(deps.keyring, before);
  await queueMail(tx, deps, had, { kind: 'PARTNER_CHANGED', what });
  await forgetContact(tx, deps, before.id);
  if (deps.environment === 'live') await askForProof(tx, deps, { ...had, email: email ?? undefined });
}

/**
 * Sets a partner's contact at its own request; null removes it. Audited, without the address.
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
    if (had !== (email ?? undefined))
      await noteNewContact(tx, deps, before, { email, what: 'its contact, at its own request' });
    return { name: before.name, email: email ?? undefined };
  });
  deps.securityLog.record('contact_changed', { partnerId });
  return changed;
}

/** The contact for notices about an application's webhooks: the address of its registration. Undefined for any other id. */
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

/** The name and contact address of an owner; undefined if there is no such owner. */
export async function contactOf(
  deps: { db: Executor; keyring: Keyring },
  { ownerKind, ownerId }: Owner,
): Promise<{ name: string; email: string | undefined } | undefined> {
  return ownerKind === 'PARTNER' ? readPartnerContact(deps, ownerId) : readApplicationContact(deps, ownerId);
}

/** The addressee of mails to an owner. @throws DomainError PARTNER_NOT_FOUND, RECEIVER_NOT_FOUND */
export async function ownerAddressee(db: Executor, keyring: Keyring, owner: Owner): Promise<Addressee> {
  const contact = await contactOf({ db, keyring }, owner);
  if (contact === undefined) throw receiverNotFound();
  return { ...owner, ownerName: contact.name, email: contact.email };
}

/**
 * Refuses to hand a secret to an owner without a proven contact, and mails the contact a link to prove the address.
 *
 * @throws DomainError CONTACT_NOT_PROVEN; PARTNER_NOT_FOUND, RECEIVER_NOT_FOUND
 */
export async function assertOwnerContact(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  owner: Owner,
): Promise<void> {
  const addressee = await ownerAddressee(deps.db, deps.keyring, owner);
  if (await isProven(deps.db, deps.keyring, addressee)) return;
  if (addressee.email !== undefined) await deps.transact((tx) => askForProof(tx, deps, addressee));
  throw contactNotProven(addressee);
}

/** Queues a mail about a lifted limit to each partner and application among these ids. */
export async function notifyLiftedLimit(
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
        await queueMail(tx, deps, addressee, { kind: 'LIMIT_LIFTED', what });
      }
    }
  });
}

const HOUR_MS = 60 * 60 * 1000;

type Deps = { keyring: Keyring; clock: Clock };

/** Mails the contact a link to prove the address, unless one was mailed there within the last hour. */
export async function askForProof(tx: Tx, deps: Deps, addressee: Addressee): Promise<void> {
  const { ownerId, email } = addressee;
  if (email === undefined) return;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - HOUR_MS);
  const asked = await selectOpenProof(tx, [ownerId, digestOf(deps.keyring, addressee, email), since, now]);
  if (asked.length === 0) await queueMail(tx, deps, addressee, { kind: 'CONTACT_PROOF', isProof: true });
}

/** Deletes an owner’s proven address, and ends the links that were mailed there. */
export async function forgetContact(tx: Tx, { clock }: Pick<Deps, 'clock'>, ownerId: string): Promise<void> {
  await deleteProven(tx, [ownerId]);
  await endLinks(tx, [ownerId, clock.now()]);
}
