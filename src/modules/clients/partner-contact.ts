import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { askForProof, forgetContact } from './contact-proof.ts';
import { CONTACT } from './partner-sealed-columns.ts';
import { type PartnerRow, selectPartner, updatePartner } from './partner-store.ts';
import { partnerNotFound } from './read-partner.ts';
import { type Addressee, writeLetter } from './write-letter.ts';

/** Who is told what becomes of a partner's webhooks. */
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
export async function readPartnerContact(
  { db, keyring }: { db: Executor; keyring: Keyring },
  id: string,
): Promise<PartnerContact> {
  const found = await selectPartner(db, id);
  if (found === undefined) throw partnerNotFound();
  return { name: found.name, email: openContact(keyring, found) };
}

/** Whom letters to a partner go to. */
export const addresseeOf = (keyring: Keyring, partner: PartnerRow): Addressee => ({
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
  if (found !== undefined) await writeLetter(tx, deps, addresseeOf(deps.keyring, found), told);
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
  const had = addresseeOf(deps.keyring, before);
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
    const { email: had } = addresseeOf(keyring, before);
    if (had !== (email ?? undefined)) await noteNewContact(tx, deps, before, { email, what: 'its contact, by itself' });
    return { name: before.name, email: email ?? undefined };
  });
  deps.securityLog.record('contact_changed', { partnerId });
  return changed;
}
